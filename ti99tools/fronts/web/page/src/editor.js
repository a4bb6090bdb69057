// The editor: syntax colours, lint marks while typing, completion, breakpoints, and in the margin the
// line number that each row of the source becomes.

import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, openSearchPanel, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, hoverTooltip, keymap,
} from "@codemirror/view";

import { dialect } from "./language.js";
import { breakpointRows, numbering, setCondition, setNumbers, setStop, stopping, toggleRow } from "./margins.js";

const elsewhere = Annotation.define(); // marks changes made in another tab
const INFO = 3; // findings of this severity and above are about the program as a whole
const SEVERITIES = { 1: "error", 2: "warning" };

export class Editor {
  /**
   * @param on.change takes the text after a change by the user
   * @param on.moved is called when the cursor has moved
   * @param on.points is called when breakpoints have changed
   * @param on.locked is called when the user types into a read-only text
   * @param on.complete (row, column) → promise of offers
   * @param on.hover (row, column) → promise of a text or null
   */
  constructor(parent, on) {
    this.on = on;
    this.states = new Map(); // file → state, of files that are not shown
    this.file = null;
    this.locked = false; // whether the texts are read-only
    this.view = new EditorView({ parent, state: this.stateOf("") });
  }

  stateOf(text) {
    const changed = EditorView.updateListener.of((update) => {
      const own = !update.transactions.some((each) => each.annotation(elsewhere));
      if (update.docChanged && own) this.on.change(this.file, update.state.doc.toString());
      if (update.selectionSet || update.docChanged) this.on.moved();
      if (update.transactions.some((each) => each.effects.some((e) => e.is(toggleRow) || e.is(setCondition)))) this.on.points();
    });
    return EditorState.create({
      doc: text,
      extensions: [
        EditorState.readOnly.of(this.locked), EditorView.domEventHandlers({ beforeinput: () => this.refuse() }),
        stopping(), numbering(), lintGutter(), history(), drawSelection(), highlightActiveLine(),
        highlightSpecialChars(), highlightSelectionMatches(), closeBrackets(),
        EditorState.tabSize.of(2), indentUnit.of("  "), dialect,
        autocompletion({ override: [(context) => this.complete(context)] }),
        hoverTooltip((view, at) => this.hover(at)),
        keymap.of([
          { key: "F9", run: (view) => this.toggle(view), preventDefault: true },
          ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.contentAttributes.of({
          "aria-label": "Source", tabindex: "0", spellcheck: "false", autocorrect: "off", autocapitalize: "off",
        }),
        changed,
      ],
    });
  }

  /** Make the text read-only, or not. */
  refuse() {
    if (this.locked) this.on.locked();
    return this.locked;
  }

  /** Show a file; its undo history and breakpoints are kept while others are shown. */
  show(file, text) {
    if (this.file) this.states.set(this.file, this.view.state);
    const known = this.states.get(file);
    this.file = file;
    this.view.setState(known && known.doc.toString() === text ? known : this.stateOf(text));
  }

  /** Forget all files: another project follows. @param locked whether it is read-only */
  clear(locked) {
    this.locked = locked;
    this.states.clear();
    this.file = null;
  }

  /** Set the breakpoints of files that were not shown yet. @param rows as `points` gives them */
  bring(rows, files) {
    for (const [file, found] of Object.entries(rows).filter(([name]) => name in files)) {
      const effects = found.map(([row, condition]) => setCondition.of({ row, condition }));
      this.states.set(file, this.stateOf(files[file]).update({ effects }).state);
    }
  }

  /** Forget files that the project has no longer. */
  keep(files) {
    for (const file of [...this.states.keys()]) if (!(file in files)) this.states.delete(file);
    if (!(this.file in files)) this.file = null;
  }

  /** Take over a text from another tab; the cursor stays at its place. */
  follow(files) {
    const text = files[this.file];
    if (text === undefined || text === this.text) return;
    const old = this.text;
    let from = 0;
    while (from < old.length && old[from] === text[from]) from++;
    let end = 0;
    while (end < old.length - from && end < text.length - from && old.at(-1 - end) === text.at(-1 - end)) end++;
    const changes = { from, to: old.length - end, insert: text.slice(from, text.length - end) };
    this.view.dispatch({ changes, annotations: elsewhere.of(true) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** The position of the cursor, as a number of characters. */
  get cursor() {
    return this.view.state.selection.main.head;
  }

  set cursor(place) {
    const at = Math.min(place, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
  }

  /** The row of the cursor, from 1. */
  get row() {
    return this.view.state.doc.lineAt(this.cursor).number;
  }

  /** Replace rows as the user does: [{from, to, rows}], counted from 0; `to` before `from` inserts. */
  replace(changes) {
    const { doc } = this.view.state;
    const part = ({ from, to, rows }) => {
      const text = rows.join("\n");
      if (from >= doc.lines) return { from: doc.length, insert: `\n${text}` };
      if (to < from) return { from: doc.line(from + 1).from, insert: `${text}\n` };
      return { from: doc.line(from + 1).from, to: doc.line(to + 1).to, insert: text };
    };
    this.view.dispatch({ changes: changes.map(part) });
  }

  focus() {
    this.view.focus();
  }

  /** Let the user type what to search for in the file. */
  search() {
    openSearchPanel(this.view);
  }

  /** Rows with breakpoints, by file: [row, condition] each. */
  points() {
    const rows = {};
    const states = new Map(this.states).set(this.file, this.view.state);
    for (const [file, state] of states) {
      const found = breakpointRows(state);
      if (found.length) rows[file] = found;
    }
    return rows;
  }

  /** The text of a row of any file that has breakpoints. */
  rowOf(file, row) {
    const { doc } = file === this.file ? this.view.state : this.states.get(file);
    return row <= doc.lines ? doc.line(row).text.trim() : "";
  }

  /** Remove the breakpoint of a row, or give it a condition. */
  point(file, row, condition = null) {
    const effects = condition === null ? toggleRow.of(row) : setCondition.of({ row, condition });
    if (file === this.file) return this.view.dispatch({ effects });
    this.states.set(file, this.states.get(file).update({ effects }).state);
    this.on.points();
  }

  toggle(view) {
    const row = view.state.doc.lineAt(view.state.selection.main.head).number;
    view.dispatch({ effects: toggleRow.of(row) });
    return true;
  }

  /** Show the findings of lint, in the form of the language server. */
  mark(diagnostics) {
    const { doc } = this.view.state;
    const at = ({ line, character }) => {
      const row = doc.line(Math.min(line + 1, doc.lines));
      return Math.min(row.from + character, row.to);
    };
    const placed = diagnostics.filter(({ severity }) => severity < INFO);
    const marks = placed.map(({ range, severity, message }) => ({
      from: at(range.start), to: at(range.end), severity: SEVERITIES[severity], message,
    }));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Show the numbers of lines: row → number. */
  number(numbers) {
    this.view.dispatch({ effects: setNumbers.of(numbers) });
  }

  /** Mark the row before which the program has stopped; null: none. */
  stand(row) {
    const { doc } = this.view.state;
    const effects = [setStop.of(row)];
    if (row && row <= doc.lines) effects.push(EditorView.scrollIntoView(doc.line(row).from, { y: "center" }));
    this.view.dispatch({ effects });
  }

  /** Put the cursor at a row and column, both from 1. */
  go(row, column = 1) {
    const line = this.view.state.doc.line(Math.min(Math.max(row, 1), this.view.state.doc.lines));
    const at = Math.min(line.from + column - 1, line.to);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.focus();
  }

  place(at) {
    const line = this.view.state.doc.lineAt(at);
    return [line.number - 1, at - line.from];
  }

  async complete(context) {
    const word = context.matchBefore(/[A-Za-z@[\]\\_][\w@[\]\\]*\$?/);
    if (!word && !context.explicit) return null;
    const offers = await this.on.complete(...this.place(context.pos));
    const options = offers.map(({ label, detail, kind }) => ({
      label, detail, type: { 3: "function", 18: "property", 21: "constant" }[kind] ?? "keyword",
    }));
    return { from: word ? word.from : context.pos, options, validFor: /^[\w@[\]\\$]*$/ };
  }

  async hover(at) {
    const text = await this.on.hover(...this.place(at));
    if (!text) return null;
    const create = () => {
      const dom = document.createElement("pre");
      dom.className = "about";
      dom.textContent = text.replace(/```(?:xb)?\n?/g, "").trim();
      return { dom };
    };
    return { pos: at, above: true, create };
  }
}
