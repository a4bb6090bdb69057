// The machine's memory: the video processor with its sprites, and bytes of either memory.

import { $, make } from "./dom.js";

const ROWS = 16, ACROSS = 16;
const OFTEN = 500; // milliseconds between two looks
const SPACES = { processor: "Memory, as CALL PEEK finds it", video: "Video memory" };
const SIZES = { processor: 0x10000, video: 0x4000 };
const FIRST = { processor: 0x8300, video: 0 };
const SCREEN = 0x300; // in the video memory the screen ends here
const OFFSET = 0x60; // Extended BASIC's screen has characters plus this
const TITLES = ["Sprite", "Character", "Colour", "Row", "Column", "Down", "Right"];

const hex = (number, digits) => number.toString(16).toUpperCase().padStart(digits, "0");

export class Memory {
  /** @param isGoing tells whether a console is on */
  constructor(client, isGoing) {
    this.client = client;
    this.isGoing = isGoing;
    this.panel = $("#tab-memory");
    this.space = "processor";
    this.at = { ...FIRST };
    setInterval(() => this.isShown && this.isGoing() && !document.hidden && this.refresh(), OFTEN);
  }

  get isShown() {
    return !this.panel.hidden && this.panel.offsetParent !== null;
  }

  /** The panel's form, made when it is first shown. */
  open() {
    if (!this.bytes) {
      const choices = Object.entries(SPACES).map(([name, title]) => make("option", { value: name }, title));
      const choice = make("select", { "aria-label": "Memory", onchange: () => this.choose(choice.value) }, ...choices);
      this.address = make("input", { size: 5, maxlength: 6, spellcheck: "false", title: "An address in hexadecimal", onchange: () => this.go(this.address.value) });
      const move = (rows, label, name) => make("button", { type: "button", "aria-label": name, onclick: () => this.show(this.at[this.space] + rows * ACROSS) }, label);
      this.bytes = make("pre", { class: "bytes", tabindex: 0, role: "group", "aria-label": "Bytes" });
      this.video = make("div", {});
      const bar = make("div", { class: "bar" }, choice, make("label", {}, "from >", this.address), move(-ROWS, "▲", "Back"), move(ROWS, "▼", "On"));
      this.panel.replaceChildren(make("div", { class: "memory" }, this.video, make("div", {}, bar, this.bytes)));
      this.address.value = hex(this.at[this.space], 4);
    }
    return this.refresh();
  }

  choose(space) {
    this.space = space;
    this.show(this.at[space]);
  }

  go(text) {
    const found = /^\s*(?:>|0x)?([0-9a-f]{1,4})\s*$/i.exec(text);
    this.address.setCustomValidity(found ? "" : "Write up to four digits 0 to 9 and A to F");
    if (found) this.show(parseInt(found[1], 16));
    else this.address.reportValidity();
  }

  show(address) {
    const size = SIZES[this.space];
    this.at[this.space] = ((address % size) + size) % size;
    this.address.value = hex(this.at[this.space], 4);
    return this.refresh();
  }

  async refresh() {
    const from = this.at[this.space], { space } = this;
    const told = await this.client.call("memory", { space, address: from, count: ROWS * ACROSS }).catch(() => null);
    if (!told) {
      this.video.replaceChildren(make("p", { class: "quiet" }, "Nothing runs: run a program first."));
      this.bytes.textContent = "";
      return;
    }
    this.video.replaceChildren(...this.told(told.result));
    const rows = Array.from({ length: ROWS }, (_, row) => {
      const at = (from + row * ACROSS) % SIZES[space];
      const part = [...told.blob.slice(row * ACROSS, (row + 1) * ACROSS)];
      return `${hex(at, 4)}  ${part.map((byte) => hex(byte, 2)).join(" ")}  ${part.map((byte, column) => this.letter(byte, at + column)).join("")}`;
    });
    const text = rows.join("\n");
    if (this.bytes.textContent !== text) this.bytes.textContent = text;
  }

  letter(byte, at) {
    const code = this.space === "video" && at < SCREEN ? byte - OFFSET : byte;
    return code >= 32 && code < 127 ? String.fromCharCode(code) : "·";
  }

  /** Registers and sprites. */
  told({ registers, magnify, screen, sprites }) {
    const line = `Video registers ${registers.map((each) => hex(each, 2)).join(" ")}, CALL SCREEN(${screen}), CALL MAGNIFY(${magnify})`;
    if (!sprites.length) return [make("p", {}, line), make("p", { class: "quiet" }, "No sprites.")];
    const rows = sprites.map(({ number, character, color, row, column, down, right }) =>
      make("tr", {}, make("th", { scope: "row" }, `#${number}`), ...[character, color, row, column, down, right].map((each) => make("td", { class: "n" }, String(each)))));
    return [make("p", {}, line), make("table", { class: "values sprites" }, make("thead", {}, make("tr", {}, ...TITLES.map((each) => make("th", { scope: "col", class: each === TITLES[0] ? null : "n" }, each)))), make("tbody", {}, ...rows))];
  }
}
