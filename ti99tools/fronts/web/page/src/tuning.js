// The tune editor: three voices and a noise on a grid; it writes CALL SOUND statements.

import { $, make } from "./dom.js";
import { grid, look, within } from "./grid.js";
import {
  FRAMES, frames, hertz, LONGEST, MOST_STEPS, named, nearest, NOISES, NOTES, rest, statements, tuneAt, VOLUMES,
} from "./tune.js";

const STEPS = 16; // steps of a new tune
const LENGTH = 200; // milliseconds of a step in a new tune
const VOICES = ["Voice 1", "Voice 2", "Voice 3", "Noise"];
const KINDS = ["buzz, high", "buzz", "buzz, low", "buzz as voice 3", "hiss, high", "hiss", "hiss, low", "hiss as voice 3"];
const FEED = 3; // frames sent at a time, which delays the sound by 50 milliseconds

export class Tuning {
  /**
   * @param programs keeps a tune that is not in the source
   * @param sound the sound output of the console
   */
  constructor(programs, editor, sound) {
    Object.assign(this, { programs, editor, sound });
    this.panel = $("#tab-tune");
    this.voice = 0;
    this.focus = [0, 0];
    this.place = null; // {from, to}: rows of the tune in the source; null: not there yet
    this.playing = null;
    this.isTune = false; // whether the tune is playing, not only a note
    this.name = ""; // the program that the tune belongs to
    this.kept = null; // what was last kept of the tune
    this.fresh();
  }

  fresh() {
    this.tune = { steps: Array.from({ length: STEPS }, rest), length: LENGTH, volumes: [...VOLUMES] };
    this.place = null;
    this.isSized = false; // whether the user has set the number of steps
    this.isChanged = false; // whether it was changed since it was read or written
  }

  /** Show the tune at the cursor, if any; a tune that is not in the source yet stays. */
  open() {
    const { text, row } = this.editor;
    const found = tuneAt(text, row - 1);
    this.isOdd = !found && /^\s*CALL\s+SOUND\b/i.test(text.split("\n")[row - 1]);
    if (found && !this.isChanged) {
      this.tune = found;
      this.place = { from: found.from, to: found.to, file: this.editor.file };
    }
    this.show();
    this.reveal();
  }

  /** Scroll to the first note of the voice, or to the middle of the grid. */
  reveal() {
    const notes = $("#notes");
    const cell = $("[aria-selected=true]", notes) ?? $(`[data-y="${Math.floor(this.rows.length / 2)}"]`, notes);
    notes.scrollTop = cell.offsetTop - notes.offsetTop - notes.clientHeight / 2;
  }

  show() {
    const { tune, voice } = this;
    within(this.focus, tune.steps.length, this.rows.length);
    const number = (label, value, min, max, set) => {
      const input = make("input", { type: "number", min, max, value, placeholder: "mixed" });
      input.onchange = () => {
        if (input.value && input.checkValidity()) {
          set(Number(input.value));
          this.changed();
        }
        this.show();
      };
      return make("label", {}, label, input);
    };
    const voices = VOICES.map((name, at) => make("button", {
      type: "button", "aria-pressed": String(at === voice), onclick: () => ((this.voice = at), this.focus.fill(0), this.show(), this.reveal()),
    }, name));
    const button = (text, action, more = {}) => make("button", { type: "button", onclick: action, ...more }, text);
    this.panel.replaceChildren(
      make("div", { class: "bar" }, ...voices),
      this.grid(),
      make("div", { class: "form" },
        number("Steps", tune.steps.length, 1, MOST_STEPS, (count) => this.resize(count)),
        number("Milliseconds a step", tune.length, 17, LONGEST, (length) => (tune.length = length)),
        number(`Volume of ${VOICES[voice].toLowerCase()}, 0 loud to 30 silent`, this.volume, 0, 30, (volume) => this.level(volume))),
      make("div", { class: "bar" },
        button(this.isTune ? "■ Stop" : "▶ Listen", () => this.listen(), { id: "tune-listen" }),
        button(this.place ? "Change it in the source" : "Put it into the source", () => this.put(), { id: "tune-put", class: "primary" }),
        button("New tune", () => this.begin())),
      make("p", { class: "quiet" }, this.told));
  }

  /** A line about where the tune is, or will be. */
  get told() {
    const { place } = this;
    if (this.isChanged && this.programs.isShipped) return "Not in the source. “Make my own copy” keeps the tune, too.";
    if (place) return `Rows ${place.from + 1} to ${place.to + 1} of the source${this.isChanged ? ", before you changed it here" : ""}.`;
    if (this.isOdd) return "The CALL SOUND rows at the cursor cannot be shown as steps. What you make here is put before them.";
    return "It is put at the cursor. With the cursor in CALL SOUND rows, open this tab again to change them.";
  }

  /** Start a new tune. */
  begin() {
    const isLost = this.isChanged && this.tune.steps.some(({ tones, noise }) => noise || tones.some(Boolean));
    if (isLost && !confirm("This tune is not in the source as it is here. Drop it?")) return;
    this.fresh();
    this.keep();
    this.show();
  }

  /** Note that the tune differs from the source. */
  changed() {
    this.isChanged = true;
    this.keep();
  }

  /** Keep the tune with the program while it differs from the source. */
  keep() {
    const { tune, place } = this;
    this.kept = this.isChanged ? structuredClone({ tune, place }) : null;
    this.programs.keepTune(this.kept);
  }

  /** The volume of a voice; empty if its notes have different ones. */
  get volume() {
    const found = new Set(this.tune.steps.map((step) => this.sounding(step)?.volume).filter((each) => each !== undefined));
    if (found.size > 1) return "";
    return found.size ? [...found][0] : this.tune.volumes[this.voice];
  }

  /** Set the volume of all notes of a voice, and of notes to be added. */
  level(volume) {
    this.tune.volumes[this.voice] = volume;
    for (const step of this.tune.steps) if (this.sounding(step)) this.sounding(step).volume = volume;
  }

  /** The notes that the rows of the grid stand for: three octaves, and any other that is used. */
  get rows() {
    if (this.voice === 3) return NOISES;
    const used = this.tune.steps.flatMap(({ tones }) => tones.filter(Boolean).map((tone) => nearest(tone.hertz)));
    return [...new Set([...NOTES, ...used])].sort((a, b) => b - a);
  }

  /** The note or noise of the chosen voice in a step, or null. */
  sounding({ tones, noise }) {
    return this.voice === 3 ? noise : tones[this.voice];
  }

  /** The row of the chosen voice's note in a step, in the numbering of `rows`. */
  value(step) {
    const found = this.sounding(step);
    return found && (this.voice === 3 ? found.kind : nearest(found.hertz));
  }

  grid() {
    const { steps } = this.tune;
    const { rows, voice } = this;
    const names = rows.map((value, y) => (voice === 3 ? KINDS[y] : named(value)));
    const isOther = (step, value) => step.tones.some((tone, at) => at !== voice && tone && nearest(tone.hertz) === value);
    return grid({
      id: "notes", label: VOICES[voice], across: steps.length, down: rows.length, focus: this.focus,
      head: (y) => make("span", { role: "rowheader", title: voice === 3 ? "" : `${hertz(rows[y])} Hz` }, names[y]),
      cell: (x, y) => ({
        "aria-label": `${names[y]}, step ${x + 1}`, "aria-selected": String(this.value(steps[x]) === rows[y]),
        class: voice < 3 && isOther(steps[x], rows[y]) ? "other" : null,
      }),
      press: (x, y) => this.set(x, y),
    });
  }

  /** Set or remove a note of a step, and play the step. */
  set(x, y) {
    const step = this.tune.steps[x];
    const row = this.rows[y];
    const volume = this.tune.volumes[this.voice];
    const found = this.value(step) === row ? null : this.voice === 3 ? { kind: row, volume } : { hertz: hertz(row), volume };
    if (this.voice === 3) step.noise = found;
    else step.tones[this.voice] = found;
    this.changed();
    const { scrollTop } = $("#notes");
    this.show();
    $("#notes").scrollTop = scrollTop;
    look($("#notes"), this.focus, [x, Math.max(0, this.rows.indexOf(row))]);
    if (found && !this.playing) this.hear([step]);
  }

  resize(count) {
    this.isSized = true;
    const { steps } = this.tune;
    this.tune.steps = Array.from({ length: count }, (_, at) => steps[at] ?? rest());
  }

  /** The steps that are heard and written: a new tune ends with its last note. */
  get heard() {
    const { steps } = this.tune;
    if (this.isSized || this.place) return steps;
    const last = steps.findLastIndex(({ tones, noise }) => noise || tones.some(Boolean));
    return steps.slice(0, Math.max(1, last + 1));
  }

  async listen() {
    if (this.isTune) return this.silence();
    await this.hear(this.heard, true);
  }

  silence(isShown = true) {
    clearInterval(this.playing);
    this.playing = null;
    this.isTune = false;
    this.sound.silence();
    if (isShown) this.show();
  }

  /** Play steps as the machine does: the tune, or a note that was set. */
  async hear(steps, isTune = false) {
    clearInterval(this.playing);
    const turn = (this.turn = (this.turn ?? 0) + 1);
    await this.sound.wake();
    if (turn !== this.turn) return; // something else is being played now
    const all = steps.flatMap((step) => frames(step, this.tune.length));
    const begun = performance.now();
    let sent = 0;
    this.isTune = isTune;
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
    this.tune.steps = this.heard;
    const rows = statements(this.tune);
    const at = this.place ?? { from: this.editor.row - 1, to: this.editor.row - 2 };
    this.editor.replace([{ ...at, rows }]);
    this.place = { from: at.from, to: at.from + rows.length - 1, file: this.editor.file };
    this.isChanged = false;
    this.keep();
    this.show();
  }

  /** Note a change of program or text: the tune may be another one, or its rows may have moved. */
  follow() {
    const { name, tune: kept } = this.programs;
    const isNew = JSON.stringify(kept) !== JSON.stringify(this.kept);
    const isElsewhere = name !== this.name;
    Object.assign(this, { name, kept });
    if (isNew) this.fresh();
    if (isNew && kept) Object.assign(this, structuredClone(kept), { isChanged: true });
    this.find();
    if (isElsewhere && !kept && !this.place) this.fresh();
    if ((isNew || isElsewhere) && !this.panel.hidden) this.show();
  }

  /** Check whether the tune's rows are still where they were. */
  find() {
    if (!this.place) return;
    const { from, to, file } = this.place;
    const found = file === this.editor.file ? tuneAt(this.editor.text, from) : null;
    if (!found || found.from !== from || found.to !== to) this.place = null;
  }
}
