// A grid of buttons: Tab reaches one of them, arrow keys lead to the others.

import { $, make } from "./dom.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The cell at [x, y]. */
export const cellAt = (element, [x, y]) => $(`[data-x="${x}"][data-y="${y}"]`, element);

/**
 * @param across, down number of cells
 * @param focus [x, y] of the cell that Tab reaches; changed in place
 * @param cell (x, y) → attributes of a cell
 * @param head (y) → the element before a row, or null
 * @param press (x, y, whether by a key) is called when a cell is pressed
 */
export function grid({ id, label, across, down, focus, cell, head = () => null, press }) {
  const element = make("div", { id, role: "grid", "aria-label": label, "aria-multiselectable": "true", style: `--across: ${across}` });
  for (let y = 0; y < down; y++) {
    const cells = Array.from({ length: across }, (_, x) => make("button", {
      type: "button", role: "gridcell", "data-x": x, "data-y": y,
      tabindex: x === focus[0] && y === focus[1] ? 0 : -1, ...cell(x, y),
    }));
    element.append(make("div", { role: "row" }, head(y), ...cells));
  }
  element.onclick = ({ target, detail }) => {
    const { x, y } = target.dataset;
    if (x) press(Number(x), Number(y), detail === 0);
  };
  element.onkeydown = (event) => {
    const way = ARROWS[event.key];
    if (!way) return;
    event.preventDefault();
    look(element, focus, [(focus[0] + way[0] + across) % across, (focus[1] + way[1] + down) % down]);
  };
  return element;
}

/** Move the focus of the page to a cell. */
export function look(element, focus, to) {
  cellAt(element, focus)?.setAttribute("tabindex", "-1");
  focus.splice(0, 2, ...to);
  cellAt(element, focus).setAttribute("tabindex", "0");
  cellAt(element, focus).focus();
}

/** Limit the focus to a grid of this size. */
export function within(focus, across, down) {
  focus.splice(0, 2, Math.min(focus[0], across - 1), Math.min(focus[1], down - 1));
}

/** The places on the straight way from one place to another: [x, y] each, without the first. */
export function between([fromX, fromY], [toX, toY]) {
  const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY));
  const part = (from, to, step) => Math.round(from + ((to - from) * step) / steps);
  return Array.from({ length: steps }, (_, at) => [part(fromX, toX, at + 1), part(fromY, toY, at + 1)]);
}
