// The program being worked on: its files, where they are kept, and what lint says of them.

import { $, make } from "./dom.js";

const PAUSE = 300; // milliseconds after the last key before lint looks
const NEW = '! A new program\nCALL CLEAR\nPRINT "HELLO"\n';

export class Programs {
  /**
   * @param on.opened is told when another project is shown
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
    this.findings = new Map(); // file → diagnostics
    this.numbers = new Map(); // file → row → number
    this.server = null;
    this.timer = null;
  }

  get isGame() {
    return "game.toml" in this.files;
  }

  /** Offer all programs in the list. */
  list() {
    const own = this.store.names;
    const kind = (which) => this.examples.filter((each) => each.kind === which && !own.includes(each.name));
    const group = (label, entries) =>
      make("optgroup", { label }, ...entries.map(([value, text]) => make("option", { value }, text)));
    const groups = [
      ["Your programs", own.map((name) => [name, name])],
      ["Games", kind("game").map(({ name, title }) => [name, title])],
      ["Samples", kind("sample").map(({ name, title }) => [name, title])],
    ];
    $("#project").replaceChildren(...groups.filter(([, all]) => all.length).map(([label, all]) => group(label, all)));
    $("#project").value = this.name;
    $("#remove").disabled = !own.includes(this.name);
  }

  /** Show a project. @param load takes the name of an example, gives its files */
  async open(name, load) {
    const kept = this.store.projects[name];
    const example = this.examples.find((each) => each.name === name);
    if (!kept && !example) return false;
    const files = kept?.files ?? (await load(name));
    this.use(name, kept?.main ?? example.main, files);
    return true;
  }

  use(name, main, files) {
    this.name = name;
    this.main = main;
    this.files = { ...files };
    this.findings.clear();
    this.numbers.clear();
    this.editor.clear();
    this.store.set("current", name);
    this.show(main);
    this.list();
    this.look(0);
    this.on.opened();
  }

  /** Make a project of the user's. */
  add(name, file, text) {
    const free = this.store.free(name);
    this.store.save(free, { main: file, files: { [file]: text } });
    this.use(free, file, { [file]: text });
    return free;
  }

  fresh() {
    this.add("program", "program.xb", NEW);
    this.editor.focus();
  }

  remove() {
    this.store.remove(this.name);
  }

  /** Show a file of the project. */
  show(file) {
    this.file = file;
    this.editor.show(file, this.files[file]);
    const order = (name) => (name === this.main ? "" : name.endsWith(".xb") ? `1${name}` : `2${name}`);
    const names = Object.keys(this.files).filter((each) => !/\.(py|md)$/.test(each));
    names.sort((a, b) => (order(a) < order(b) ? -1 : 1));
    const buttons = names.map((each) =>
      make("button", { type: "button", "aria-pressed": String(each === file), onclick: () => this.show(each) }, each));
    $("#files").replaceChildren(...buttons);
    $("#files").hidden = names.length < 2;
    this.paint();
  }

  /** The user has typed. */
  changed(file, text) {
    this.files[file] = text;
    if (!this.store.save(this.name, { main: this.main, files: this.files })) {
      this.on.error("the browser has no room left to keep this program: save it elsewhere");
    }
    if ($("#remove").disabled) this.list();
    this.look(PAUSE);
  }

  /** Let lint look, soon. */
  look(after) {
    clearTimeout(this.timer);
    if (this.server) this.timer = setTimeout(() => this.check(), after);
  }

  /** The language server can be asked from now on. */
  serve(server) {
    this.server = server;
    this.look(0);
  }

  async check() {
    const { server, name, main, file, files } = this;
    const { client } = server;
    await client.call("put", { project: name, files });
    await server.open(name, file, files[file]);
    try {
      const found = await client.call("check", { project: name, main });
      if (name !== this.name) return;
      this.numbers.clear();
      for (const [where, row, number] of found.numbers) {
        const rows = this.numbers.get(where) ?? this.numbers.set(where, new Map()).get(where);
        if (!rows.has(row)) rows.set(row, number);
      }
      $("#listing").textContent = found.listing;
      $("#memory").textContent = `${found.size.toLocaleString("en")} bytes, ${found.free.toLocaleString("en")} bytes of program space free with 32K`;
    } catch (error) {
      if (error.broken) throw error;
      $("#memory").textContent = "The listing appears when the mistakes are mended.";
    }
    this.paint();
  }

  /** What lint found in a file. */
  found(file, diagnostics) {
    this.findings.set(file, diagnostics);
    this.paint();
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
      this.server ? "✓ No mistakes found" : ""));
  }
}
