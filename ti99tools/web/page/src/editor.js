// The editor: our dialect's colours, lint marks while typing, completion, breakpoints, and in its
// margin the number of the line that each row of the source becomes.

import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, hoverTooltip, keymap,
} from "@codemirror/view";

import { dialect } from "./language.js";
import { breakpointRows, numbering, setNumbers, setStop, stopping, toggleRow } from "./margins.js";

const INFO = 3; // severities from here on are about the program as a whole
const SEVERITIES = { 1: "error", 2: "warning" };

export class Editor {
  /**
   * @param on.change takes the text when it was changed by the user
   * @param on.points is told when breakpoints have changed
   * @param on.complete (row, column) → promise of offers
   * @param on.hover (row, column) → promise of a text or null
   */
  constructor(parent, on) {
    this.on = on;
    this.states = new Map(); // file → state that is not shown now
    this.file = null;
    this.view = new EditorView({ parent, state: this.stateOf("") });
  }

  stateOf(text) {
    const changed = EditorView.updateListener.of((update) => {
      if (update.docChanged) this.on.change(this.file, update.state.doc.toString());
      if (update.transactions.some((each) => each.effects.some((e) => e.is(toggleRow)))) this.on.points();
    });
    return EditorState.create({
      doc: text,
      extensions: [
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
          "aria-label": "Source", spellcheck: "false", autocorrect: "off", autocapitalize: "off",
        }),
        changed,
      ],
    });
  }

  /** Show a file; its undo history and breakpoints are kept while others are shown. */
  show(file, text) {
    if (this.file) this.states.set(this.file, this.view.state);
    const known = this.states.get(file);
    this.file = file;
    this.view.setState(known && known.doc.toString() === text ? known : this.stateOf(text));
  }

  /** Forget all files: another project follows. */
  clear() {
    this.states.clear();
    this.file = null;
  }

  get text() {
    return this.view.state.doc.toString();
  }

  focus() {
    this.view.focus();
  }

  /** Rows with breakpoints, by file. */
  points() {
    const rows = {};
    const states = new Map(this.states).set(this.file, this.view.state);
    for (const [file, state] of states) {
      const found = breakpointRows(state);
      if (found.length) rows[file] = found;
    }
    return rows;
  }

  toggle(view) {
    const row = view.state.doc.lineAt(view.state.selection.main.head).number;
    view.dispatch({ effects: toggleRow.of(row) });
    return true;
  }

  /** Show what lint found, as the language server tells it. */
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

  /** Show the row before which the program stands; null: none. */
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
