// The drawing board: the characters and sprites of the file in the editor, dot by dot.

import { CHANGES, colored, drawings, empty, freeCode, placeOf, rowsOf, setOf, sharing, SIZE, SPRITE } from "./art.js";
import { $, make } from "./dom.js";
import { between, cellAt, grid, look, within } from "./grid.js";

const COLORS = [
  "TRANSPARENT", "BLACK", "MEDIUM_GREEN", "LIGHT_GREEN", "DARK_BLUE", "LIGHT_BLUE", "DARK_RED", "CYAN",
  "MEDIUM_RED", "LIGHT_RED", "DARK_YELLOW", "LIGHT_YELLOW", "DARK_GREEN", "MAGENTA", "GRAY", "WHITE",
]; // from 1, as lib/colors.xb names them
const NEW = { "Character, 8 × 8": [SIZE, SIZE], "Two characters, 16 × 8": [2 * SIZE, SIZE],
  "Four characters, 16 × 16": [2 * SIZE, 2 * SIZE], "Large sprite, 16 × 16": [SPRITE, SPRITE] };
const SPRITES = "Large sprite";
const NAMES = { "←": "Move left", "→": "Move right", "↑": "Move up", "↓": "Move down" };

export class Drawing {
  /** @param say tells the user something */
  constructor(programs, editor, say) {
    Object.assign(this, { programs, editor, say });
    this.panel = $("#tab-draw");
    this.isShown = false;
    this.chosen = 0; // index of the drawing in the file
    this.focus = [0, 0]; // the dot that keys change
    this.looks = [2, 1]; // colors of a drawing that names none: black on transparent
  }

  /** @param palette red, green and blue of the 16 colors */
  begin(palette) {
    this.palette = palette.map((rgb) => `rgb(${rgb.join(" ")})`);
    this.palette[0] = "#ffffff";
  }

  /** Show the drawings of the file; the one that the cursor is in comes first. */
  open() {
    const row = this.editor.row - 1;
    const all = drawings(this.editor.text);
    const at = all.findIndex(({ from, to }) => from <= row && row <= to);
    if (at >= 0) this.chosen = at;
    this.isShown = true;
    this.show();
  }

  /** Note that the text has changed. */
  follow() {
    if (this.isShown && !this.isWriting) this.show();
  }

  get drawing() {
    return this.all[this.chosen];
  }

  show() {
    this.text = this.editor.text;
    this.all = drawings(this.text);
    this.chosen = Math.max(0, Math.min(this.chosen, this.all.length - 1));
    const { drawing } = this;
    if (drawing) within(this.focus, drawing.dots[0].length, drawing.dots.length);
    const kind = make("select", { id: "draw-new", "aria-label": "A new drawing" },
      make("option", { value: "" }, "New drawing…"), ...Object.keys(NEW).map((name) => make("option", {}, name)));
    kind.onchange = () => kind.value && this.add(kind.value);
    const list = make("select", { id: "draw-which", "aria-label": "Drawing", disabled: !drawing },
      ...this.all.map(({ name, isSprite }, at) =>
        make("option", { value: at, selected: at === this.chosen }, `${name}${isSprite ? ", sprite" : ""}`)));
    list.onchange = () => ((this.chosen = Number(list.value)), this.focus.fill(0), this.show());
    const parts = [make("div", { class: "bar" }, list, kind)];
    if (drawing) parts.push(this.board(drawing));
    else parts.push(make("p", { class: "quiet" }, "This file has no drawing. Choose a new one: it becomes #art rows at the cursor, or where its character is first shown."));
    this.panel.replaceChildren(...parts);
  }

  /** The dots as buttons; beside them the drawing in its colors, and buttons that change it. */
  board(drawing) {
    const { name, dots } = drawing;
    const cells = grid({
      id: "dots", label: `Dots of ${name}`, across: dots[0].length, down: dots.length, focus: this.focus,
      cell: (x, y) => ({ "aria-label": `row ${y + 1}, column ${x + 1}`, "aria-selected": String(dots[y][x]) }),
      press: (x, y, isKey) => isKey && this.flip(x, y),
    });
    cells.onpointerdown = (event) => this.paint(event);
    this.preview = make("canvas", { width: dots[0].length, height: dots.length, role: "img", "aria-label": `${name} in its colors` });
    this.picture();
    const rule = make("p", { class: "quiet", id: "draw-rule" }, this.rule(drawing));
    return make("div", { class: "board" }, cells,
      make("div", { class: "beside" }, this.preview, this.changes(), this.colors(drawing), rule));
  }

  /** Draw with the pointer: the first dot says whether dots are set or cleared. */
  paint(event) {
    const dot = event.target.closest("[data-x]");
    if (!dot || this.editor.refuse()) return;
    event.preventDefault();
    const { dots } = this.drawing;
    const isSet = dot.getAttribute("aria-selected") !== "true";
    const placeOf = (cell) => [Number(cell.dataset.x), Number(cell.dataset.y)];
    const board = event.currentTarget;
    const set = (x, y) => {
      cellAt(board, [x, y]).setAttribute("aria-selected", String(isSet));
      dots[y][x] = isSet;
      this.focus.splice(0, 2, x, y);
    };
    set(...placeOf(dot));
    this.picture();
    const move = ({ clientX, clientY }) => {
      const cell = document.elementFromPoint(clientX, clientY)?.closest("#dots [data-x]");
      if (!cell) return;
      // A quick pointer skips dots: those between are on its way.
      for (const [x, y] of between(this.focus, placeOf(cell))) set(x, y);
      this.picture();
    };
    const stroke = new AbortController();
    const own = (action) => (other) => other.pointerId === event.pointerId && action(other);
    const end = own(() => {
      stroke.abort();
      this.write(dots);
    });
    dot.releasePointerCapture(event.pointerId); // else a touch would reach only the first dot
    addEventListener("pointermove", own(move), { signal: stroke.signal });
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal: stroke.signal });
  }

  /** Set or clear a dot with a key. */
  flip(x, y) {
    if (this.editor.refuse()) return;
    const { dots } = this.drawing;
    dots[y][x] = !dots[y][x];
    this.write(dots);
    look($("#dots"), this.focus, [x, y]);
  }

  changes() {
    const button = ([name, change]) => make("button", {
      type: "button", title: NAMES[name] ?? name, "aria-label": NAMES[name] ?? name,
      onclick: () => this.editor.refuse() || this.write(change(this.drawing.dots)),
    }, name);
    return make("div", { class: "bar", role: "toolbar", "aria-label": "Change the drawing" }, ...Object.entries(CHANGES)
      .filter(([name]) => name !== "Turn" || this.drawing.dots.length === this.drawing.dots[0].length).map(button));
  }

  /** The colors in which a drawing is shown: [foreground, background], numbers from 1. */
  shades({ color }) {
    const number = (word) => (COLORS.indexOf(word.toUpperCase()) + 1) || Number(word);
    const [foreground, background] = color?.map(number) ?? this.looks;
    const isColor = (value) => Number.isInteger(value) && value >= 1 && value <= COLORS.length;
    return [isColor(foreground) ? foreground : this.looks[0], isColor(background) ? background : this.looks[1]];
  }

  colors(drawing) {
    const shades = this.shades(drawing);
    const row = (label, which) => make("div", { class: "shades", role: "group", "aria-label": label }, make("span", {}, label),
      ...this.palette.map((shade, at) => make("button", {
        type: "button", title: COLORS[at], "aria-label": COLORS[at].toLowerCase().replace("_", " "),
        "aria-pressed": String(shades[which] === at + 1), class: at ? null : "none", style: `background-color: ${shade}`,
        onclick: () => this.color(shades.map((old, each) => (each === which ? at + 1 : old))),
      })));
    return make("div", {}, row("Dots", 0), row("Behind", 1));
  }

  /** Give the drawing colors, and with it all others of its set. */
  color(shades) {
    const { drawing } = this;
    this.looks = shades;
    if (drawing.isSprite || drawing.name.endsWith("$")) return this.show();
    if (this.editor.refuse()) return;
    const isNamed = Object.values(this.programs.files).some((text) => /^\s*#include\s+<colors\.xb>/im.test(text));
    const words = shades.map((number) => (isNamed ? COLORS[number - 1] : number));
    const changed = sharing(this.all, drawing).filter((each) => each === drawing || each.color);
    this.put(changed.map(({ from, head }) => ({ from, to: from, rows: [colored(head, words)] })));
  }

  /** A note on the colors of a drawing. */
  rule(drawing) {
    if (drawing.isSprite) return "The color of a sprite is given in CALL SPRITE or CALL COLOR(#…); these only show it.";
    if (drawing.code === null) return "Without a code its color is that of the characters that take it.";
    const { set, first, last } = setOf(drawing.code);
    const others = sharing(this.all, drawing).filter((each) => each !== drawing).map(({ name }) => name);
    const with_ = others.length ? `: ${others.join(", ")} ${others.length > 1 ? "have" : "has"} the same` : "";
    return `Characters ${first} to ${last} are set ${set} and have one pair of colors${with_}.`;
  }

  picture() {
    const [foreground, background] = this.shades(this.drawing);
    const context = this.preview.getContext("2d");
    for (const [y, row] of this.drawing.dots.entries()) {
      for (const [x, dot] of row.entries()) {
        context.fillStyle = this.palette[(dot ? foreground : background) - 1];
        context.fillRect(x, y, 1, 1);
      }
    }
  }

  write(dots) {
    const { from, to } = this.drawing;
    this.put([{ from: from + 1, to: to - 1, rows: rowsOf(dots) }]);
  }

  /** Replace rows of the text, counted from 0, and show the result. */
  put(changes) {
    if (this.editor.text !== this.text) return this.show(); // another file is open now
    this.isWriting = true;
    this.editor.replace(changes);
    this.isWriting = false;
    this.show();
  }

  /** Add a drawing before the row of the cursor, and before the first one that shows its character. */
  add(kind) {
    if (this.editor.refuse()) return this.show();
    const isSprite = kind.startsWith(SPRITES);
    const [width, height] = NEW[kind];
    const code = freeCode(this.all, (width / SIZE) * (height / SIZE), isSprite);
    if (code === null) {
      this.say("The codes 128 to 143 are all drawn. Change the code of a drawing in the source, or draw over letters.", true);
      return this.show();
    }
    const within = this.all.find(({ from, to }) => from < this.editor.row - 1 && this.editor.row - 1 <= to);
    const cursor = within ? within.to + 1 : this.editor.row - 1;
    const { row, name } = placeOf(this.text, code);
    const at = row >= 0 ? Math.min(row, cursor) : cursor;
    const rows = [`#art ${name}${isSprite ? " SPRITE" : ""}`, ...rowsOf(empty(width, height)), "#end"];
    this.chosen = this.all.filter(({ from }) => from < at).length;
    this.focus.fill(0);
    this.put([{ from: at, to: at - 1, rows }]);
  }
}
