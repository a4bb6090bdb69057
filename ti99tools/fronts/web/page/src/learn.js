// The first steps, beside the editor: one at a time, each ticked off when done.

import { $, make } from "./dom.js";
import { FIRST, LESSONS } from "./lessons.js";

const NAME = "first-steps";
const LOOK = 500; // milliseconds between two checks

export class Learn {
  /**
   * @param store keeps the user's progress
   * @param on.ran returns whether the text in the editor is the one that ran last
   * @param on.write shows the editor
   */
  constructor(programs, store, on) {
    Object.assign(this, { programs, store, on });
    this.panel = $("#lessons");
    this.hint = "";
  }

  begin() {
    this.show();
    setInterval(() => this.look(), LOOK);
  }

  get step() {
    return this.store.setting("lesson") ?? -1;
  }

  set step(number) {
    this.store.set("lesson", number);
    this.hint = "";
    this.show();
  }

  get isHere() {
    return this.programs.name === (this.store.setting("lessons") ?? NAME);
  }

  show() {
    const { step } = this;
    const button = (text, action) => make("button", { type: "button", onclick: action }, text);
    const start = () => {
      this.store.set("lessons", this.programs.add(NAME, `${NAME}.xb`, FIRST));
      this.step = 0;
      this.on.write();
    };
    if (step < 0 || !this.isHere) {
      this.panel.replaceChildren(make("p", {}, "New to Extended BASIC? ", button(`The first ${LESSONS.length} steps`, start)));
      return;
    }
    const items = LESSONS.map(({ title, text }, at) => {
      const isNow = at === step;
      const more = isNow ? [make("p", {}, ...withCode(text)), make("p", { class: "hint", role: "status" }, this.hint)] : [];
      return make("li", { class: at < step ? "done" : isNow ? "now" : null, "aria-current": isNow ? "step" : null }, make("b", {}, title), ...more);
    });
    const end = step >= LESSONS.length ? "All done. Open a game in the list above and read how it is made." : null;
    this.panel.replaceChildren(make("ol", {}, ...items), end ? make("p", { class: "good" }, end) : "",
      make("div", { class: "bar" }, end ? "" : button("Skip this step", () => (this.step = step + 1)), button("Start again", start)));
  }

  /** Check whether the step was done. */
  look() {
    const { step, programs } = this;
    const wasHere = this.panel.querySelector("ol") !== null;
    if (this.isHere !== wasHere && step >= 0) this.show();
    if (!this.isHere || !LESSONS[step]) return;
    const source = programs.files[programs.main];
    const rows = $("#text").textContent.split("\n");
    const found = LESSONS[step].check({ source, rows, errors: $("#problems").querySelectorAll(".error").length, ran: this.on.ran() });
    if (found === true) this.step = step + 1;
    else if ((found || "") !== this.hint) $(".hint", this.panel).textContent = this.hint = found || "";
  }
}

/** A text with what stands between backticks as code. */
const withCode = (text) => text.split("`").map((part, at) => (at % 2 ? make("code", {}, part) : part));
