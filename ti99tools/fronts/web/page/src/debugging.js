// The debugger's panel: breakpoints with conditions, what is watched, the stack, and the variables.

import { $, make } from "./dom.js";

const SETTABLE = /^[\w@[\]\\.]+\$?(?:\/[\w@[\]\\.]+\$?)*(?:\([\d, ]+\))?$/; // a variable, or an element with digits

export class Debugging {
  /**
   * @param parts editor, machine and programs
   * @param on.show shows a row of a file: (file, row)
   * @param on.say tells the user something: (text, isError)
   */
  constructor(client, parts, on) {
    Object.assign(this, { client, on }, parts);
    this.before = new Map();
    this.build();
  }

  build() {
    const part = (name, title, ...more) => make("section", { class: name }, make("h2", {}, title), ...more);
    this.input = make("input", { "aria-label": "Expression to watch", placeholder: "T*2 or >83C8", spellcheck: "false", autocapitalize: "off" });
    const form = make("form", { class: "bar" }, this.input, make("button", {}, "Watch"));
    form.onsubmit = (event) => {
      event.preventDefault();
      this.watch(this.input.value.trim());
    };
    const lists = { rows: make("div", {}), watchList: make("div", {}), stack: make("div", {}), values: make("div", {}) };
    Object.assign(this, lists);
    const again = make("button", { type: "button", onclick: () => this.refresh() }, "Show the values now");
    $("#tab-variables").replaceChildren(
      part("variables", "Variables", make("div", { class: "bar" }, again), lists.values),
      make("div", {}, part("watches", "Watches", lists.watchList, form), part("breakpoints", "Breakpoints", lists.rows), part("levels", "Stack", lists.stack)));
    this.points();
    this.show({});
  }

  /** What the program watches: {text, sub, inside, …} as the bridge gives it. */
  get watches() {
    return this.programs.watches;
  }

  /** What a debugged run is to stop at. */
  get wish() {
    return { rows: this.editor.points(), watches: this.watches };
  }

  /** Whether the program of the editor is being debugged. */
  get isDebugged() {
    return this.machine.going && Boolean(this.machine.state?.debug);
  }

  /** Another program is shown, or the same with other files. */
  opened() {
    this.points();
    if (!this.isDebugged) this.watched();
  }

  // -- breakpoints ------------------------------------------------------------------------------

  /** The breakpoints have changed. */
  async changed() {
    this.points();
    if (!this.machine.going) return;
    for (const input of this.rows.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    for (const { file, row, text } of await this.client.call("break_at", { rows: this.editor.points() })) {
      const input = this.rows.querySelector(`[data-point="${file}:${row}"]`);
      input?.setAttribute("aria-invalid", "true");
      this.on.say(`Condition of ${file}:${row}: ${text}`, true);
    }
  }

  /** List the breakpoints. */
  points() {
    const { editor } = this;
    const shown = JSON.stringify([this.programs.name, editor.points()]);
    if (shown === this.shown) return; // perhaps somebody writes there
    this.shown = shown;
    const all = Object.entries(editor.points()).flatMap(([file, rows]) => rows.map(([row, condition]) => this.point(file, row, condition)));
    const focused = document.activeElement?.dataset?.point;
    this.rows.replaceChildren(all.length ? make("ul", { class: "points" }, ...all)
      : make("p", { class: "quiet" }, "A click beside a row, or F9, sets one. Debug then stops there."));
    if (focused) this.rows.querySelector(`[data-point="${focused}"]`)?.focus();
  }

  point(file, row, condition) {
    const place = `${file}:${row}`;
    const input = make("input", {
      value: condition, "aria-label": `Condition of the breakpoint at ${place}`, placeholder: "always", "data-point": place,
      spellcheck: "false", autocapitalize: "off", onchange: () => this.editor.point(file, row, input.value.trim()),
    });
    return make("li", {},
      make("button", { type: "button", class: "link", title: this.editor.rowOf(file, row), onclick: () => this.on.show(file, row) }, place),
      make("label", {}, "if ", input),
      make("button", { type: "button", "aria-label": `Remove the breakpoint at ${place}`, onclick: () => this.editor.point(file, row) }, "✕"));
  }

  // -- watches ----------------------------------------------------------------------------------

  async watch(text) {
    if (!text) return;
    const { name } = this.programs;
    try {
      const at = this.isDebugged ? await this.client.call("watch", { text }) : { text, sub: "", inside: "" };
      if (name === this.programs.name) this.programs.watch([...this.watches.filter((each) => !isSame(each, at)), at]);
      this.input.value = "";
    } catch (error) {
      this.on.say(error.message, true);
    }
    await this.refresh();
  }

  async unwatch(at) {
    this.programs.watch(this.watches.filter((each) => !isSame(each, at)));
    if (this.isDebugged) await this.client.call("unwatch", { at });
    await this.refresh();
    this.input.focus();
  }

  // -- values -----------------------------------------------------------------------------------

  /** Set a variable to the value of an expression. */
  async set(name, text) {
    try {
      await this.client.call("set", { name, text });
      this.on.say(`${name} is ${text} now.`);
    } catch (error) {
      this.on.say(error.message, true);
    }
    await this.refresh();
  }

  /** Show what there is now. */
  async refresh() {
    const { watches, ...found } = await this.client.call("variables").catch(() => ({}));
    if (this.isDebugged) found.watches = watches;
    else Object.assign(found, { stack: [], stands: false });
    this.show(found);
  }

  show({ stack = [], values = [], watches, told, stands = false }) {
    const focused = document.activeElement?.dataset?.value;
    this.stack.replaceChildren(stack.length ? this.levels(stack) : make("p", { class: "quiet" }, "The program stands nowhere."));
    this.watched(watches, stands);
    this.values.replaceChildren(values.length ? this.table(values, stands) : make("p", { class: "quiet" }, told ?? "No variables yet: run a program."));
    this.before = new Map(values.map(({ name, value }) => [name, value]));
    if (focused) $(`#tab-variables [data-value="${CSS.escape(focused)}"]`)?.focus();
  }

  /** List what is watched. @param all with values; without it the program has none */
  watched(all = this.watches.map((at) => ({ at, none: "" })), stands = false) {
    this.watchList.replaceChildren(this.listed(all, stands));
  }

  levels(stack) {
    const items = stack.map(({ name, file, row, number }) =>
      make("li", {}, make("button", { type: "button", class: "link", onclick: () => this.on.show(file, row) },
        `${name} · line ${number} · ${file}:${row}`)));
    return make("ol", { class: "stack" }, ...items);
  }

  listed(all, stands) {
    const rows = all.map(({ at, value, none }) => {
      const { text, inside } = at;
      const held = value === undefined ? make("i", { class: "quiet" }, none) : this.value(text, value, stands);
      return make("tr", {}, make("th", { scope: "row" }, text, inside ? make("small", { class: "quiet" }, ` ${inside}`) : ""), make("td", {}, held),
        make("td", {}, make("button", { type: "button", "aria-label": `Watch ${text} no longer`, onclick: () => this.unwatch(at) }, "✕")));
    });
    return all.length ? make("table", { class: "values" }, make("tbody", {}, ...rows))
      : make("p", { class: "quiet" }, "Debug stops when the value of an expression, or a byte of memory, changes.");
  }

  table(values, stands) {
    const rows = values.map(({ name, value }) => {
      const changed = this.before.size > 0 && this.before.get(name) !== value;
      return make("tr", { class: changed ? "changed" : null }, make("th", { scope: "row" }, name), make("td", {}, this.value(name, value, stands)));
    });
    return make("table", { class: "values" }, make("tbody", {}, ...rows));
  }

  /** A value; where the program stands, that of a variable can be changed in its place. */
  value(name, value, stands) {
    if (!stands || !SETTABLE.test(name)) return value;
    const input = make("input", {
      value, "aria-label": `Value of ${name}`, "data-value": name, spellcheck: "false", autocapitalize: "off",
      onchange: () => this.set(name, input.value),
      onkeydown: ({ key }) => {
        if (key === "Escape") input.value = value;
      },
    });
    return input;
  }
}

const isSame = (one, other) => one.text === other.text && one.sub === other.sub && one.inside === other.inside;
