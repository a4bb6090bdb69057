// The editor's margins: breakpoints with the row where the program has stopped, and line numbers.

import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker } from "@codemirror/view";

export const toggleRow = StateEffect.define();
export const setCondition = StateEffect.define(); // {row, condition}
export const setStop = StateEffect.define();
export const setNumbers = StateEffect.define();

class Dot extends GutterMarker {
  constructor(condition = "") {
    super();
    this.condition = condition;
  }
  eq(other) {
    return other.condition === this.condition;
  }
  toDOM() {
    const dot = document.createElement("span");
    dot.className = this.condition ? "breakpoint asks" : "breakpoint";
    dot.title = this.condition ? `breakpoint, if ${this.condition}` : "breakpoint";
    return dot;
  }
}

const DOT = new Dot();

const points = StateField.define({
  create: () => RangeSet.empty,
  update(set, change) {
    let found = set.map(change.changes);
    for (const effect of change.effects) {
      const row = effect.is(toggleRow) ? effect.value : effect.is(setCondition) ? effect.value.row : Infinity;
      if (row > change.state.doc.lines) continue;
      const { from } = change.state.doc.line(row);
      let there = false;
      found.between(from, from, () => void (there = true));
      const dot = effect.is(setCondition) ? new Dot(effect.value.condition) : there ? null : DOT;
      found = found.update({ filter: (at) => at !== from, add: dot ? [dot.range(from)] : [], sort: true });
    }
    return found;
  },
});

/** Rows of breakpoints, ascending, each with its condition: [row, condition]. */
export function breakpointRows(state) {
  const rows = new Map();
  for (let cursor = state.field(points).iter(); cursor.value; cursor.next()) {
    rows.set(state.doc.lineAt(cursor.from).number, cursor.value.condition);
  }
  return [...rows].sort(([a], [b]) => a - b);
}

const stop = StateField.define({
  create: () => Decoration.none,
  update(set, change) {
    let found = set.map(change.changes);
    for (const effect of change.effects) {
      if (!effect.is(setStop)) continue;
      const row = effect.value;
      const known = row && row <= change.state.doc.lines;
      const mark = Decoration.line({ class: "stands" });
      found = known ? Decoration.set([mark.range(change.state.doc.line(row).from)]) : Decoration.none;
    }
    return found;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The margin of breakpoints: a click sets or removes one. */
export function stopping() {
  return [
    points,
    stop,
    gutter({
      class: "points",
      markers: (view) => view.state.field(points),
      initialSpacer: () => DOT,
      domEventHandlers: {
        mousedown(view, line) {
          const row = view.state.doc.lineAt(line.from).number;
          view.dispatch({ effects: toggleRow.of(row) });
          return true;
        },
      },
    }),
  ];
}

class LineNumber extends GutterMarker {
  constructor(text) {
    super();
    this.text = text;
  }
  eq(other) {
    return other.text === this.text;
  }
  toDOM() {
    return document.createTextNode(this.text);
  }
}

const numbers = StateField.define({
  create: () => new Map(),
  update(map, change) {
    for (const effect of change.effects) if (effect.is(setNumbers)) return effect.value;
    return map;
  },
});

/** The margin with the number of the program's line that begins in a row. */
export function numbering() {
  return [
    numbers,
    gutter({
      class: "numbers",
      lineMarker(view, block) {
        const number = view.state.field(numbers).get(view.state.doc.lineAt(block.from).number);
        return number === undefined ? null : new LineNumber(String(number));
      },
      lineMarkerChange: (update) =>
        update.startState.field(numbers) !== update.state.field(numbers),
    }),
  ];
}
