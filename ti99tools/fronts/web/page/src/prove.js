// The program in the editor proven against the model of its rules, in separate workers.

import { Client } from "./client.js";
import { $, download, make } from "./dom.js";
import { Wall } from "./wall.js";

const MOST = 4; // most workers
const SEEN = 500; // milliseconds between two matches of a worker that are shown
const WORTH = 16; // matches per worker that make another one worthwhile
const HASH = 12; // digits shown of a digest

export class Prove {
  /**
   * @param programs has the program to prove
   * @param open shows another program, by its name
   */
  constructor(programs, open) {
    this.programs = programs;
    this.openProgram = open;
    this.clients = [];
    this.report = "";
    this.proven = null; // {name, files} to which the shown verdict belongs
    this.panel = $("#tab-prove");
  }

  /** Show the form. @param hello the answer of the bridge; `provable` are the games with models */
  begin(hello) {
    this.games = hello.provable;
    this.wall = new Wall(hello);
    this.subject = make("p", { id: "proves" });
    this.matches = make("input", { type: "number", min: 1, max: 10000, value: 100 });
    this.seed = make("input", { type: "number", min: 0, max: 999999, value: 0 });
    this.coverage = make("input", { type: "checkbox" });
    this.button = make("button", { class: "primary", id: "verify" }, "Verify");
    this.progress = make("progress", { value: 0, max: 100, hidden: true });
    this.line = make("p", { role: "status", id: "verdict" });
    this.first = make("pre", { class: "bad", id: "first-difference", tabindex: "0", "aria-label": "First difference", hidden: true });
    this.what = make("p", { class: "quiet", id: "proven" });
    this.frame = make("iframe", { title: "Report", sandbox: "", hidden: true });
    this.save = make("div", { class: "bar", hidden: true },
      make("button", { type: "button", onclick: () => this.open() }, "Open report"),
      make("button", { type: "button", onclick: () => this.keep() }, "Download report"));
    this.form = make("form", { class: "form", onsubmit: (event) => this.submit(event) },
      make("label", {}, "Matches", this.matches), make("label", {}, "Seed", this.seed),
      make("label", { class: "toggle" }, this.coverage, make("span", {}, "Show which statements ran")), this.button);
    this.panel.replaceChildren(
      make("p", {}, "The program plays whole matches; a model of the rules, written apart from it, must agree on every die, decision, score and message."),
      this.subject, this.form, this.progress, this.line, this.first, this.what, this.wall.element, this.save, this.frame);
    this.follow();
  }

  /** Note a change of program or text: show what would be proven, and whether it was. */
  follow() {
    if (!this.form) return;
    const { name, isGame } = this.programs;
    const links = this.games.map((game) =>
      make("button", { type: "button", onclick: () => this.openProgram(game.name) }, `Open ${game.title}`));
    const parts = isGame ? ["Proves ", make("b", {}, name), ", as it is in the editor now."]
      : [make("b", {}, name), " has no model of its rules. These have one:"];
    this.subject.replaceChildren(...parts);
    if (!isGame) this.subject.append(make("span", { class: "bar" }, ...links));
    this.form.hidden = !isGame && !this.clients.length;
    if (this.proven) this.judge();
  }

  /** Whether the verdict belongs to the program in the editor as it is now. */
  get holds() {
    const { name, files } = this.programs;
    const { proven } = this;
    const names = Object.keys(files);
    return name === proven.name && names.length === Object.keys(proven.files).length &&
      names.every((file) => files[file] === proven.files[file]);
  }

  /** Show the verdict, in grey if it does not belong to the program in the editor. */
  judge() {
    const { name, answer, at, seconds } = this.proven;
    const mark = answer.verified ? "✓" : "✗";
    const { holds } = this;
    this.line.textContent = `${mark} ${answer.headline} (${seconds.toFixed(1)} s)`;
    this.line.className = holds ? (answer.verified ? "good" : "bad") : "stale";
    const rules = answer.rules ? `the rules of ${answer.rules} as shipped` : "the rules in its own model";
    const told = `${name}, disk SHA-256 ${answer.disk_sha256.slice(0, HASH)}…, at ${at}, by ${rules}.`;
    const other = name === this.programs.name ? "The text was changed since then: prove it again." : "Another program is open now.";
    this.what.textContent = holds ? told : `${told} ${other}`;
    this.save.hidden = this.frame.hidden = false;
    this.frame.classList.toggle("stale", !holds);
  }

  async submit(event) {
    event.preventDefault();
    if (this.clients.length) return this.cancel();
    const { name, files } = this.programs;
    const wish = {
      project: name, files: { ...files }, matches: Number(this.matches.value),
      seed: Number(this.seed.value), coverage: this.coverage.checked,
    };
    this.proven = null;
    this.save.hidden = this.frame.hidden = this.first.hidden = true;
    this.isCancelled = false;
    this.what.textContent = "";
    this.wall.clear();
    this.button.textContent = "Cancel";
    this.progress.hidden = false;
    this.progress.max = wish.matches;
    this.progress.removeAttribute("value");
    this.line.textContent = "Starting";
    this.line.className = "";
    try {
      const answer = await this.prove(wish);
      const at = new Date().toLocaleTimeString();
      this.proven = { name, files: wish.files, answer, at, seconds: this.seconds };
      this.report = this.frame.srcdoc = answer.html;
    } catch (error) {
      this.line.textContent = error.message === "stopped" ? "Cancelled" : error.message;
      if (error.message !== "stopped") this.line.className = "bad";
    }
    this.end();
    this.button.textContent = "Verify";
    this.progress.hidden = true;
    this.follow();
  }

  /** Distribute the matches to workers; the first worker combines all results. */
  async prove({ project, files, matches, seed, coverage }) {
    const cores = Math.max(1, Math.min(MOST, navigator.hardwareConcurrency || 1));
    const count = Math.min(cores, Math.ceil(matches / WORTH));
    this.clients = Array.from({ length: count }, () => new Client({}));
    const [first] = this.clients;
    const begun = performance.now();
    const { clients } = this;
    await Promise.all(clients.map((client) => client.start()));
    await Promise.all(clients.map((client) => client.call("put", { project, files })));
    const seeds = await first.call("prove_seeds", { matches, seed });
    const playing = performance.now();
    const taken = [];
    let done = 0;
    let wrong = 0;
    const work = async (client) => {
      let shown = -SEEN;
      while (seeds.length && !this.isCancelled) {
        const seed = seeds.shift();
        const { result: [difference], blob } = await client.call("prove_some", { project, seeds: [seed], coverage });
        taken.push(first.call("prove_take", {}, blob)); // queued behind its own matches
        const number = ++done;
        const isRight = !difference;
        if (!isRight && !wrong) this.tell(difference);
        wrong += !isRight;
        this.progress.value = done;
        this.line.textContent = `${done} of ${matches} matches, ${wrong ? `${wrong} differ` : "all as the rules say"}`;
        if (isRight && performance.now() - shown < SEEN) continue;
        shown = performance.now();
        client.call("prove_pictures").then((seen) => this.wall.show(number, isRight, seen), () => {});
      }
    };
    await Promise.all(clients.map(work));
    await Promise.all(taken);
    const seconds = (performance.now() - playing) / 1000;
    if (!done) throw new Error("stopped");
    await this.shorten(first, project);
    const answer = await first.call("prove_end", { project, matches, seed, coverage, seconds });
    this.seconds = (performance.now() - begun) / 1000;
    return answer;
  }

  /** Show the first match that differs, as soon as it is known. */
  tell(difference) {
    this.first.hidden = false;
    this.first.textContent = difference;
  }

  /** Shorten the failures trial by trial, unless that is cancelled. */
  async shorten(client, project) {
    while (!this.isCancelled) {
      const at = await client.call("prove_shorten", { project });
      if (!at) return;
      this.progress.removeAttribute("value");
      this.line.textContent = `Shortening failure ${at.number} of ${at.count}: ${at.keys} keys. Cancel ends it with what it has.`;
    }
  }

  /** End with the matches that were played and the failures as they are. */
  cancel() {
    if (this.isCancelled) return this.end(); // for those who do not wait for the match that is being played
    this.isCancelled = true;
    this.line.textContent = "Ending with what there is";
  }

  end() {
    for (const client of this.clients) client.end();
    this.clients = [];
  }

  /** Open the report in a new window. */
  open() {
    window.open(URL.createObjectURL(new Blob([this.report], { type: "text/html" })));
  }

  keep() {
    download(`verify-${this.proven.name}.html`, this.report, "text/html");
  }
}
