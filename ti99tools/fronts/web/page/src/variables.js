// Variables and the stack of a program that has stopped, or a snapshot of one that runs.

import { $, make } from "./dom.js";

export class Variables {
  /** @param go takes (file, row) of a level of the stack */
  constructor(client, go) {
    this.client = client;
    this.go = go;
    this.panel = $("#tab-variables");
    this.before = new Map();
  }

  async refresh() {
    const { stack, values, told } = await this.client.call("variables").catch(() => ({ stack: [], values: [] }));
    const parts = [make("div", { class: "bar" },
      make("button", { type: "button", onclick: () => this.refresh() }, "Show the values now"))];
    if (stack.length) parts.push(this.stack(stack));
    if (values.length) parts.push(this.table(values));
    else parts.push(make("p", { class: "quiet" }, told ?? "No variables yet: run a program."));
    this.panel.replaceChildren(...parts);
    this.before = new Map(values.map(({ name, value }) => [name, value]));
  }

  stack(levels) {
    const items = levels.map(({ name, file, row, number }) =>
      make("li", {}, make("button", { type: "button", class: "link", onclick: () => this.go(file, row) },
        `${name} · line ${number} · ${file}:${row}`)));
    return make("ol", { class: "stack" }, ...items);
  }

  table(values) {
    const rows = values.map(({ name, value }) => {
      const changed = this.before.size > 0 && this.before.get(name) !== value;
      return make("tr", { class: changed ? "changed" : null }, make("th", { scope: "row" }, name), make("td", {}, value));
    });
    return make("table", { class: "values" }, make("tbody", {}, ...rows));
  }
}
