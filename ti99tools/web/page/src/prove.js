// Games against the models of their rules, in workers of their own.

import { Client } from "./client.js";
import { $, download, make } from "./dom.js";

const MOST = 4; // workers
const CHUNK = 4; // matches that a worker plays at a time
const WORTH = 16; // matches that are worth a further worker

export class Prove {
  constructor() {
    this.clients = [];
    this.report = "";
    this.panel = $("#tab-prove");
  }

  /** Show the form for these games. */
  begin(games) {
    this.game = make("select", {}, ...games.map(({ name, title }) => make("option", { value: name }, title)));
    this.matches = make("input", { type: "number", min: 1, max: 10000, value: 100 });
    this.seed = make("input", { type: "number", min: 0, max: 999999, value: 0 });
    this.coverage = make("input", { type: "checkbox" });
    this.button = make("button", { class: "primary", id: "verify" }, "Verify");
    this.progress = make("progress", { value: 0, max: 100, hidden: true });
    this.line = make("p", { role: "status", id: "verdict" });
    this.frame = make("iframe", { title: "Report", sandbox: "", hidden: true });
    this.save = make("div", { class: "bar", hidden: true },
      make("button", { type: "button", onclick: () => this.open() }, "Open report"),
      make("button", { type: "button", onclick: () => this.keep() }, "Save report"));
    const form = make("form", { class: "form", onsubmit: (event) => this.submit(event) },
      make("label", {}, "Game", this.game), make("label", {}, "Matches", this.matches),
      make("label", {}, "Seed", this.seed),
      make("label", { class: "toggle" }, this.coverage, make("span", {}, "Count statements")), this.button);
    this.panel.replaceChildren(
      make("p", {}, "The program plays whole matches; a model of the rules, written apart from it, must agree on every die, decision, score and message."),
      form, this.progress, this.line, this.save, this.frame);
  }

  async submit(event) {
    event.preventDefault();
    if (this.clients.length) return this.end();
    const wish = {
      game: this.game.value, matches: Number(this.matches.value), seed: Number(this.seed.value),
      coverage: this.coverage.checked,
    };
    this.button.textContent = "Cancel";
    this.progress.hidden = false;
    this.progress.max = wish.matches;
    this.progress.removeAttribute("value");
    this.line.textContent = "Starting";
    this.line.className = "";
    try {
      this.show(await this.prove(wish));
    } catch (error) {
      this.line.textContent = error.message === "stopped" ? "Cancelled" : error.message;
    }
    this.end();
    this.button.textContent = "Verify";
    this.progress.hidden = true;
  }

  /** Deal out the matches to workers; the first one puts together what all have found. */
  async prove({ game, matches, seed, coverage }) {
    const cores = Math.max(1, Math.min(MOST, navigator.hardwareConcurrency || 1));
    const count = Math.min(cores, Math.ceil(matches / WORTH));
    this.clients = Array.from({ length: count }, () => new Client({}));
    const [first] = this.clients;
    const begun = performance.now();
    await Promise.all(this.clients.map((client) => client.start()));
    const seeds = await first.call("prove_seeds", { matches, seed });
    const playing = performance.now();
    let done = 0;
    const work = async (client) => {
      while (seeds.length) {
        const some = seeds.splice(0, CHUNK);
        const { result, blob } = await client.call("prove_some", { game, seeds: some, coverage });
        await first.call("prove_take", {}, blob);
        done += result;
        this.progress.value = done;
        this.line.textContent = `${done} of ${matches} matches`;
      }
    };
    await Promise.all(this.clients.map(work));
    const seconds = (performance.now() - playing) / 1000;
    const answer = await first.call("prove_end", { game, matches, seed, coverage, seconds });
    this.seconds = (performance.now() - begun) / 1000;
    return answer;
  }

  end() {
    for (const client of this.clients) client.end();
    this.clients = [];
  }

  show(answer) {
    const mark = answer.verified ? "✓" : "✗";
    this.line.textContent = `${mark} ${answer.headline} (${this.seconds.toFixed(1)} s)`;
    this.line.className = answer.verified ? "good" : "bad";
    this.report = answer.html;
    this.frame.srcdoc = answer.html;
    this.frame.hidden = this.save.hidden = false;
  }

  /** Show the report in a window of its own. */
  open() {
    window.open(URL.createObjectURL(new Blob([this.report], { type: "text/html" })));
  }

  keep() {
    download(`verify-${this.game.value}.html`, this.report, "text/html");
  }
}
