// The program being edited: its files, where they are kept, and lint's findings.

import { $, make } from "./dom.js";

const PAUSE = 300; // milliseconds after the last key before lint looks
const PLACES = 50; // programs whose place is remembered
const MUCH = 400; // characters: a text that loses as many at once, and more than half, was replaced
const NEW = '! A new program\nCALL CLEAR\nPRINT "HELLO"\n';

/** Whether most of a text was replaced or deleted in one change. */
function isReplaced(before, after) {
  if (before.length < MUCH) return false;
  let from = 0;
  while (from < after.length && before[from] === after[from]) from++;
  let end = 0;
  const most = Math.min(before.length, after.length) - from;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end++;
  const lost = before.length - from - end;
  return lost >= MUCH && lost > before.length / 2;
}

export class Programs {
  /**
   * @param on.opened is called when another project is shown
   * @param on.listed takes the files in groups when they or the file shown have changed: [label, names]
   * @param on.replaced (file, text) most of a file's text was replaced at once
   * @param on.error tells the user something
   */
  constructor(store, editor, on) {
    this.store = store;
    this.editor = editor;
    this.on = on;
    this.examples = [];
    this.name = "";
    this.main = "";
    this.files = {};
    this.file = "";
    this.tune = null; // a tune in the tune editor that is not in the source: {tune, place}
    this.loose = new Map(); // name of a shipped program → such a tune, kept in this tab only
    this.watches = []; // what the debugger watches
    this.findings = new Map(); // file → diagnostics
    this.numbers = new Map(); // file → row → number
    this.version = 0; // version of the text, sent with requests about it
    this.turns = 0; // openings that were asked for
    this.shown = 0; // the turn of the one that is shown
    this.looking = false;
    this.desk = null;
    this.timer = null;
  }

  get isGame() {
    return "game.toml" in this.files;
  }

  /** Whether the program was shipped with the studio and so is read-only. */
  get isShipped() {
    return this.examples.some((each) => each.name === this.name);
  }

  /** Whether there is a program of this name. */
  knows(name) {
    return name in this.store.projects || this.examples.some((each) => each.name === name);
  }

  /** The record of the program to keep. */
  get record() {
    const { main, files, tune } = this;
    return { main, files, tune };
  }

  /** Set the shipped programs, whose names no program of the user's can have. */
  async ship(examples, load) {
    this.examples = examples;
    const moved = [];
    for (const { name } of examples) {
      this.store.reserved.add(name);
      const kept = this.store.projects[name];
      if (!kept) continue;
      const shipped = await load(name);
      const copy = this.store.free(`my-${name}`);
      if (Object.keys({ ...shipped, ...kept.files }).some((file) => shipped[file] !== kept.files[file])) {
        await this.store.save(copy, kept);
        if (this.store.setting("current") === name) this.store.set("current", copy);
        moved.push(copy);
      }
      await this.store.remove(name);
    }
    return moved;
  }

  /** List all programs. */
  list() {
    const own = this.store.names;
    const known = own.includes(this.name) || this.examples.some((each) => each.name === this.name);
    if (!known && this.name) own.push(this.name); // another tab has deleted it
    const kind = (which) => this.examples.filter((each) => each.kind === which);
    const group = (label, entries) =>
      make("optgroup", { label }, ...entries.map(([value, text]) => make("option", { value }, text)));
    const groups = [
      ["Your programs", own.map((name) => [name, name])],
      ["Games", kind("game").map(({ name, title }) => [name, title])],
      ["Samples", kind("sample").map(({ name, title }) => [name, title])],
    ];
    $("#project").replaceChildren(...groups.filter(([, all]) => all.length).map(([label, all]) => group(label, all)));
    $("#project").value = this.name;
    for (const id of ["remove", "rename", "file-add", "file-rename", "file-remove"]) {
      document.getElementById(id).disabled = this.isShipped;
    }
    $("#edited").textContent = this.name;
    $("#whose").hidden = !this.isShipped;
    $("#whose").classList.remove("asked");
  }

  /**
   * Note that something is to be opened, and that this may take time. Gives the turn to show it with:
   * of two openings the one that was asked for later stays, in whatever order they are ready.
   */
  turn() {
    return ++this.turns;
  }

  /** Note that what is shown was asked for again: nothing that was asked for before replaces it. */
  stay() {
    this.shown = this.turn();
  }

  /** Show a project; gives whether there is one. @param load takes the name of an example, gives its files */
  async open(name, load, turn = this.turn()) {
    const kept = this.store.projects[name];
    const example = this.examples.find((each) => each.name === name);
    if (!kept && !example) return false;
    const files = kept?.files ?? (await load(name));
    this.use(name, { main: example?.main, tune: this.loose.get(name), ...kept, files }, turn);
    return true;
  }

  /** Show a project, unless a later opening is shown already. */
  use(name, { main, files, tune }, turn = this.turn()) {
    if (turn < this.shown) return this.list();
    if (this.remembering) this.remember(0); // the cursor has just moved
    this.shown = turn;
    this.name = name;
    this.main = main;
    this.files = { ...files };
    this.tune = tune ?? null;
    this.findings.clear();
    this.numbers.clear();
    $("#listing").textContent = $("#memory").textContent = "";
    this.editor.clear(this.isShipped);
    this.store.set("current", name);
    const place = this.store.setting("places")?.[name];
    this.editor.bring(place?.points ?? {}, this.files);
    this.watches = place?.watches ?? [];
    this.show(place?.file in this.files ? place.file : main);
    if (place?.file in this.files && Number.isInteger(place.at)) this.editor.cursor = place.at;
    this.list();
    this.look(0);
    this.on.opened();
  }

  /** Where the user is: the file, the place of the cursor, the breakpoints of all files, and what is watched. */
  get place() {
    return { file: this.file, at: this.editor.cursor, points: this.editor.points(), watches: this.watches };
  }

  /** Watch other things from now on. */
  watch(watches) {
    this.watches = watches;
    this.remember();
  }

  /** Keep the place, soon. */
  remember(after = PAUSE) {
    clearTimeout(this.remembering);
    const { name, file } = this;
    const keep = () => {
      this.remembering = 0;
      if (this.name !== name || this.file !== file) return;
      this.keepPlace(name, this.place);
    };
    if (after) this.remembering = setTimeout(keep, after);
    else keep();
  }

  keepPlace(name, place) {
    const { [name]: _, ...others } = this.store.setting("places") ?? {};
    const all = [...Object.entries(others), [name, place]];
    this.store.set("places", Object.fromEntries(all.slice(-PLACES)));
  }

  /** Make a project of the user's. */
  add(name, file, text, turn) {
    return this.bring(name, { main: file, files: { [file]: text } }, turn);
  }

  /**
   * Keep this as a project of the user's, under this name or a similar one; show it in its turn.
   * @param place where in it the user is; none at its beginning
   */
  bring(name, record, turn, place = {}) {
    const free = this.store.free(name);
    this.keepPlace(free, place);
    this.store.save(free, record);
    this.use(free, record, turn);
    return free;
  }

  /** Keep a copy of the shown program that can be changed; the cursor and the breakpoints stay where they are. */
  copy() {
    this.loose.delete(this.name);
    this.bring(`my-${this.name.replace(/^my-/, "")}`, this.record, this.turn(), this.place);
  }

  /** Replace the files of the open project. @param renamed the name that the shown file has from now on */
  put(files, main, file, renamed = this.file) {
    this.editor.file = renamed;
    this.editor.keep(files);
    this.files = files;
    this.main = main;
    this.store.save(this.name, this.record);
    this.show(file);
    this.list();
    this.look(0);
    this.on.opened();
  }

  fresh() {
    this.add("program", "program.xb", NEW);
    this.editor.focus();
  }

  /** Show a file of the project. */
  show(file) {
    this.file = file;
    this.editor.show(file, this.files[file]);
    const order = (name) => (name === this.main ? 0 : [".xb", ".bas", ".a99"].some((end) => name.endsWith(end)) ? 1 : 2);
    const groups = ["The program begins in", "Parts of it", "Beside it"].map((label, which) =>
      [label, Object.keys(this.files).filter((each) => order(each) === which).sort()]);
    const options = (names) => names.map((each) => make("option", { value: each }, each));
    $("#files").replaceChildren(...groups.filter(([, names]) => names.length).map(([label, names]) => make("optgroup", { label }, ...options(names))));
    this.on.listed(groups);
    $("#files").value = file;
    this.paint();
  }

  /** Take a text that the user has changed. */
  changed(file, text) {
    const before = this.files[file];
    if (isReplaced(before, text)) this.on.replaced(file, before);
    this.files[file] = text;
    this.store.save(this.name, this.record);
    this.look(PAUSE);
  }

  /** Keep a tune that is not in the source with the program; null: none. */
  keepTune(tune) {
    if (tune === this.tune) return;
    this.tune = tune;
    if (!this.isShipped) this.store.save(this.name, this.record);
    else if (tune) this.loose.set(this.name, tune);
    else this.loose.delete(this.name);
  }

  /** Follow a change or removal in another tab, if this is the program shown here. */
  follow(name) {
    const found = this.store.projects[name];
    if (name !== this.name || !found) return this.list();
    this.main = found.main;
    this.files = { ...found.files };
    this.tune = found.tune;
    if (!(this.file in this.files)) this.file = this.main;
    this.editor.follow(this.files);
    this.show(this.file);
    this.list();
    this.look(PAUSE);
    this.on.opened();
  }

  /** Note that the shown program is kept under another name from now on. */
  rename(name, copy) {
    if (name !== this.name) return this.list();
    this.name = copy;
    this.store.set("current", copy);
    this.remember(0);
    this.list();
    this.look(0);
    this.on.opened();
  }

  /** Note that the text has changed; run lint soon. */
  look(after) {
    this.version++;
    clearTimeout(this.timer);
    if (this.desk) this.timer = setTimeout(() => this.check(), after);
  }

  /** Take the worker that checks sources, once it is ready. */
  serve(desk) {
    this.desk = desk;
    this.look(0);
  }

  /** Ask for the findings about the text; an answer about an older text is dropped. */
  async check() {
    if (this.looking) return;
    const { desk, version, name: project, main, file, files } = this;
    this.looking = true;
    let found;
    try {
      found = await desk.call("look", { version, project, main, file, files });
    } finally {
      this.looking = false;
    }
    if (found.version !== this.version) return this.look(0);
    this.findings = new Map(Object.entries(found.findings));
    if (found.program) this.listed(found.program);
    else $("#memory").textContent = "The listing appears when the mistakes are fixed.";
    this.paint();
  }

  listed({ numbers, listing, size, free }) {
    this.numbers.clear();
    for (const [where, row, number] of numbers) {
      const rows = this.numbers.get(where) ?? this.numbers.set(where, new Map()).get(where);
      if (!rows.has(row)) rows.set(row, number);
    }
    $("#listing").textContent = listing;
    $("#memory").textContent = `${size.toLocaleString("en")} bytes, ${free.toLocaleString("en")} bytes of program space free with 32K`;
  }

  /** Ask about a place in the text as it is now: "completion" or "hover". */
  ask(what, row, column) {
    const { desk, name: project, file, files } = this;
    return desk ? desk.call("ask", { what, project, file, text: files[file], row, column }) : null;
  }

  paint() {
    this.editor.mark(this.findings.get(this.file) ?? []);
    const rows = this.numbers.get(this.file) ?? new Map();
    this.editor.number(/^\d/.test(this.editor.text.trimStart()) ? new Map() : rows);
    this.problems();
  }

  problems() {
    const all = [...this.findings].flatMap(([file, found]) => found.map((each) => ({ file, ...each })));
    all.sort((a, b) => a.severity - b.severity);
    const items = all.map(({ file, range, severity, message }) => {
      const kind = { 1: "error", 2: "warning", 3: "info" }[severity];
      const row = range.start.line + 1;
      const go = () => {
        if (file !== this.file && file in this.files) this.show(file);
        this.editor.go(row, range.start.character + 1);
      };
      return make("li", { class: kind }, make("button", { type: "button", class: "link", onclick: go },
        make("b", {}, `${file === this.file ? "" : `${file}:`}${row}`), ` ${message}`));
    });
    $("#problems").replaceChildren(items.length ? make("ol", {}, ...items) : make("p", { class: "quiet" },
      this.desk ? "✓ No mistakes found" : ""));
  }
}
