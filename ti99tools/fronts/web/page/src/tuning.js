// The tune editor: three voices and a noise on a grid; it writes CALL SOUND statements.

import { $, make } from "./dom.js";
import { FRAMES, frames, hertz, LONGEST, named, NOISES, NOTES, rest, statements, tuneAt, VOLUMES } from "./tune.js";

const STEPS = 16; // of a new tune
const MOST = 64;
const LENGTH = 200; // milliseconds of a step
const VOICES = ["Voice 1", "Voice 2", "Voice 3", "Noise"];
const KINDS = ["buzz, high", "buzz", "buzz, low", "buzz as voice 3", "hiss, high", "hiss", "hiss, low", "hiss as voice 3"];
const FEED = 3; // frames that are sent at a time: the sound is heard 50 milliseconds later
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Tuning {
  /** @param sound what the console is heard with */
  constructor(editor, sound) {
    Object.assign(this, { editor, sound });
    this.panel = $("#tab-tune");
    this.voice = 0;
    this.focus = [0, 0];
    this.place = null; // {from, to} of the tune in the source; null: not there yet
    this.playing = null;
    this.fresh();
  }

  fresh() {
    this.tune = { steps: Array.from({ length: STEPS }, rest), length: LENGTH, volumes: [...VOLUMES] };
    this.place = null;
  }

  /** Show the tune that the cursor is in, if it is in one. */
  open() {
    const found = tuneAt(this.editor.text, this.editor.row - 1, MOST);
    if (found) {
      this.tune = found;
      this.place = { from: found.from, to: found.to, file: this.editor.file };
    }
    this.show();
  }

  show() {
    const { tune, voice } = this;
    this.focus = [Math.min(this.focus[0], tune.steps.length - 1), Math.min(this.focus[1], this.rows.length - 1)];
    const number = (label, value, min, max, set) => {
      const input = make("input", { type: "number", min, max, value });
      input.onchange = () => {
        if (input.checkValidity()) set(Number(input.value));
        this.show();
      };
      return make("label", {}, label, input);
    };
    const voices = VOICES.map((name, at) => make("button", {
      type: "button", "aria-pressed": String(at === voice), onclick: () => ((this.voice = at), (this.focus = [0, 0]), this.show()),
    }, name));
    const button = (text, action, more = {}) => make("button", { type: "button", onclick: action, ...more }, text);
    this.panel.replaceChildren(
      make("div", { class: "bar" }, ...voices),
      this.grid(),
      make("div", { class: "form" },
        number("Steps", tune.steps.length, 1, MOST, (count) => this.resize(count)),
        number("Milliseconds a step", tune.length, 17, LONGEST, (length) => (tune.length = length)),
        number(`Volume of ${VOICES[voice].toLowerCase()}, 0 loud to 30 silent`, tune.volumes[voice], 0, 30, (volume) => (tune.volumes[voice] = volume))),
      make("div", { class: "bar" },
        button(this.playing ? "■ Stop" : "▶ Listen", () => this.listen(), { id: "tune-listen" }),
        button(this.place ? "Change it in the source" : "Put it into the source", () => this.put(), { id: "tune-put", class: "primary" }),
        button("New tune", () => (this.fresh(), this.show()))),
      make("p", { class: "quiet" }, this.place
        ? `Rows ${this.place.from + 1} to ${this.place.to + 1} of the source.`
        : "It is put at the cursor. With the cursor in CALL SOUND rows, open this tab again to change them."));
  }

  get rows() {
    return this.voice === 3 ? NOISES : [...NOTES].reverse();
  }

  value({ tones, noise }) {
    return this.voice === 3 ? noise : tones[this.voice];
  }

  grid() {
    const { steps } = this.tune;
    const grid = make("div", { id: "notes", role: "grid", "aria-label": VOICES[this.voice], style: `--across: ${steps.length}` });
    for (const [y, value] of this.rows.entries()) {
      const name = this.voice === 3 ? KINDS[y] : named(value);
      const cells = steps.map((step, x) => {
        const others = this.voice < 3 && step.tones.some((note, at) => at !== this.voice && note === value);
        return make("button", {
          type: "button", role: "gridcell", "data-x": x, "data-y": y, class: others ? "other" : null,
          "aria-label": `${name}, step ${x + 1}`, "aria-pressed": String(this.value(step) === value),
          tabindex: x === this.focus[0] && y === this.focus[1] ? 0 : -1,
        });
      });
      grid.append(make("div", { role: "row" }, make("span", { role: "rowheader", title: this.voice === 3 ? "" : `${hertz(value)} Hz` }, name), ...cells));
    }
    grid.onclick = ({ target }) => target.dataset.x && this.set(Number(target.dataset.x), Number(target.dataset.y));
    grid.onkeydown = (event) => this.key(event);
    return grid;
  }

  key(event) {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    const [x, y] = this.focus;
    const across = this.tune.steps.length;
    const down = this.rows.length;
    this.look((x + way[0] + across) % across, (y + way[1] + down) % down);
  }

  /** Move the focus to a cell. */
  look(x, y) {
    const cell = (at) => $(`#notes [data-x="${at[0]}"][data-y="${at[1]}"]`);
    cell(this.focus)?.setAttribute("tabindex", "-1");
    this.focus = [x, y];
    cell(this.focus).setAttribute("tabindex", "0");
    cell(this.focus).focus();
  }

  /** Set a note of a step, or take it away, and let it be heard. */
  set(x, y) {
    const step = this.tune.steps[x];
    const value = this.value(step) === this.rows[y] ? null : this.rows[y];
    if (this.voice === 3) step.noise = value;
    else step.tones[this.voice] = value;
    this.focus = [x, y];
    const { scrollTop } = $("#notes");
    this.show();
    $("#notes").scrollTop = scrollTop;
    this.look(x, y);
    if (value !== null && !this.playing) this.hear([step]);
  }

  resize(count) {
    const { steps } = this.tune;
    this.tune.steps = Array.from({ length: count }, (_, at) => steps[at] ?? rest());
  }

  async listen() {
    if (this.playing) return this.silence();
    await this.hear(this.tune.steps);
  }

  silence(isShown = true) {
    clearInterval(this.playing);
    this.playing = null;
    this.sound.silence();
    if (isShown) this.show();
  }

  /** Let steps be heard, as the machine plays them. */
  async hear(steps) {
    clearInterval(this.playing);
    const turn = (this.turn = (this.turn ?? 0) + 1);
    await this.sound.wake();
    if (turn !== this.turn) return; // something else is to be heard by now
    const { length, volumes } = this.tune;
    const all = steps.flatMap((step) => frames(step, length, volumes));
    const begun = performance.now();
    let sent = 0;
    const isTune = steps.length > 1;
    this.playing = setInterval(() => {
      const due = Math.floor(((performance.now() - begun) / 1000) * FRAMES) + FEED;
      if (sent >= all.length) return this.silence(isTune);
      this.sound.play(all.slice(sent, due));
      sent = Math.max(sent, due);
    }, 20);
    if (isTune) this.show();
  }

  /** Write the tune into the source. */
  put() {
    if (this.editor.refuse()) return;
    this.follow();
    const rows = statements(this.tune);
    const at = this.place ?? { from: this.editor.row - 1, to: this.editor.row - 2 };
    this.editor.replace([{ ...at, rows }]);
    this.place = { from: at.from, to: at.from + rows.length - 1, file: this.editor.file };
    this.show();
  }

  /** The text is another one: the tune's rows may be elsewhere. */
  follow() {
    if (!this.place) return;
    const { from, to, file } = this.place;
    const found = file === this.editor.file ? tuneAt(this.editor.text, from, MOST) : null;
    if (!found || found.from !== from || found.to !== to) this.place = null;
  }
}
