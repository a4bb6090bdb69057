// Games against the models of their rules, in a worker of its own.

import { Client } from "./client.js";
import { $, download, make } from "./dom.js";

export class Prove {
  constructor(say) {
    this.say = say;
    this.client = null;
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
    if (this.client) {
      this.client.end();
      return;
    }
    const matches = Number(this.matches.value);
    this.button.textContent = "Cancel";
    this.progress.hidden = false;
    this.progress.max = matches;
    this.progress.removeAttribute("value");
    this.line.textContent = "Starting";
    let done = 0;
    const tick = ({ count }) => {
      done += count;
      this.progress.value = done;
      this.line.textContent = `${done} of ${matches} matches`;
    };
    this.client = new Client({ tick });
    try {
      await this.client.start();
      const begun = performance.now();
      const answer = await this.client.call("prove", {
        game: this.game.value, matches, seed: Number(this.seed.value), coverage: this.coverage.checked,
      });
      this.seconds = (performance.now() - begun) / 1000;
      this.show(answer);
    } catch (error) {
      this.line.textContent = error.message === "stopped" ? "Cancelled" : error.message;
    }
    this.client?.end();
    this.client = null;
    this.button.textContent = "Verify";
    this.progress.hidden = true;
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
