// Syntax colours for our dialect and for numbered listings, by the package's own lists of words.

import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

import words from "./words.js";

const NAME = /^[A-Za-z@[\]\\_][A-Za-z@[\]\\_0-9]*\$?/;
const KINDS = new Map([
  ...words.statements.map((word) => [word, "keyword"]),
  ...words.added.map((word) => [word, "controlKeyword"]),
  ...words.functions.map((word) => [word, "builtin"]),
  ...words.operators.map((word) => [word, "operatorKeyword"]),
]);
const SUBPROGRAMS = new Set(words.subprograms);

function directive(stream, state) {
  const match = stream.match(/^#\s*(art|text|include|if|elif|else|end|pack)\b/i, false);
  if (!match) return null;
  const word = match[1].toLowerCase();
  if (word === "art" || word === "text") state.inside = word;
  else if (word === "end") state.inside = null;
  stream.skipToEnd();
  return "meta";
}

function page(stream, state) {
  if (stream.sol() && /^\s*#\s*end\b/i.test(stream.string)) {
    state.inside = null;
    stream.skipToEnd();
    return "meta";
  }
  if (state.inside === "text") {
    stream.skipToEnd();
    return "string";
  }
  if (stream.match(/^[X#@*]+/)) return "atom";
  stream.next();
  return "comment";
}

function name(stream, state, first) {
  const text = stream.match(NAME)[0].toUpperCase();
  if (state.called) {
    state.called = false;
    return SUBPROGRAMS.has(text) ? "builtin" : "function";
  }
  if (first && KINDS.get(text) !== "keyword" && stream.match(/^\s*:(?!:)/, false)) return "labelName";
  if (text === "REM") {
    stream.skipToEnd();
    return "comment";
  }
  if (text === "DATA" || text === "IMAGE") state.data = true;
  if (text === "CALL" || text === "SUB" || text === "PROC") state.called = true;
  return KINDS.get(text) ?? "variableName";
}

const parser = {
  name: "xb",
  startState: () => ({ inside: null, called: false, data: false, begun: false }),
  copyState: (state) => ({ ...state }),
  languageData: { commentTokens: { line: "!" } },
  token(stream, state) {
    if (stream.sol()) {
      state.called = state.data = state.begun = false;
      if (state.inside) return page(stream, state);
    } else if (state.inside) return page(stream, state);
    if (stream.eatSpace()) return null;
    const first = !state.begun;
    state.begun = true;
    if (first) {
      const found = directive(stream, state);
      if (found) return found;
      if (stream.match(/^\d+(?=\s)/)) {
        state.begun = false;
        return "lineNumber";
      }
    }
    if (stream.match(/^"(?:[^"]|"")*"?/)) return "string";
    if (stream.peek() === "!") {
      stream.skipToEnd();
      return "comment";
    }
    if (state.data) {
      stream.match(/^[^"!]+/);
      return "string";
    }
    if (stream.match(NAME, false)) return name(stream, state, first);
    if (stream.match(/^(?:\d+\.?\d*|\.\d+)(?:[Ee][+-]?\d+)?/)) return "number";
    if (stream.match("::")) {
      state.called = false;
      return "separator";
    }
    stream.next();
    return null;
  },
  tokenTable: { lineNumber: tags.annotation, builtin: tags.standard(tags.name), function: tags.function(tags.name) },
};

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)" },
  { tag: tags.controlKeyword, color: "var(--code-dialect)", fontWeight: "600" },
  { tag: tags.operatorKeyword, color: "var(--code-keyword)" },
  { tag: tags.standard(tags.name), color: "var(--code-builtin)" },
  { tag: tags.function(tags.name), color: "var(--code-function)", fontWeight: "600" },
  { tag: tags.labelName, color: "var(--code-label)", fontWeight: "600" },
  { tag: tags.string, color: "var(--code-string)" },
  { tag: tags.number, color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: tags.meta, color: "var(--code-meta)" },
  { tag: tags.atom, color: "var(--code-label)" },
  { tag: tags.annotation, color: "var(--code-comment)" },
  { tag: tags.separator, color: "var(--code-keyword)" },
]);

export const dialect = [StreamLanguage.define(parser), syntaxHighlighting(colors)];
