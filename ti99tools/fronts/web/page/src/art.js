// The drawings of a source: its `#art` blocks as dots, and dots as the rows of a block.

export const SIZE = 8; // dots of a character, across and down
export const SPRITE = 16; // dots of a large sprite, across and down
const FREE = [128, 143]; // first and last code that no text uses
const SET = 8; // characters of a set, which have one color
const FIRST_SET = 32; // the code that set 1 begins with
const WIDEST = 64; // dots; wider drawings are for a PNG
const HEAD = /^\s*#art\s+([\w@[\]\\]+\$?)\s*(.*)$/i;
const COLOR = /\bCOLOR\s+([\w@[\]\\]+)\s*,\s*([\w@[\]\\]+)/i;
const END = /^\s*#end\b/i;
const CONSTANT = /([A-Za-z@_[\]\\][\w@[\]\\]*)\s*=\s*(\d+)/g;
const SHOWS = /\bCALL\s+(?:HCHAR|VCHAR|SPRITE|PATTERN)\b|\bCHR\$/i; // statements that show characters
const REMARK = /^\s*(?:\d+\s*)?(?:!|REM\b|#)/i;
const SET_DOTS = /[X#@*]/i;

/** The whole numbers in CONST statements: name → number. */
function constants(text) {
  const found = new Map();
  for (const [, rest] of text.matchAll(/^\s*CONST\b(.*)$/gim)) {
    for (const [, name, number] of rest.matchAll(CONSTANT)) found.set(name.toUpperCase(), Number(number));
  }
  return found;
}

/**
 * The drawings in a text that can be shown as dots: {from, to, name, code, isSprite, color, dots}.
 *
 * `from` and `to` are the rows of `#art` and `#end`, from 0; `code` is null for a name without
 * a number here; `color` is null or [foreground, background] as written; `dots` are rows of booleans.
 */
export function drawings(text) {
  const rows = text.split("\n");
  const known = constants(text);
  const found = [];
  for (let from = 0; from < rows.length; from++) {
    const [, name, clauses] = HEAD.exec(rows[from]) ?? [];
    if (!name || clauses.includes('"')) continue;
    const to = rows.findIndex((row, at) => at > from && END.test(row));
    const dots = to < 0 ? null : dotsOf(rows.slice(from + 1, to));
    if (!dots) continue;
    const code = /^\d+$/.test(name) ? Number(name) : known.get(name.toUpperCase()) ?? null;
    const color = COLOR.exec(clauses)?.slice(1, 3) ?? null;
    found.push({ from, to, name, code, color, dots, isSprite: /\bSPRITE\b/i.test(clauses), head: rows[from] });
  }
  return found;
}

/**
 * Where a drawing has to be: `name` is how the text names the code (its constant, or the number), `row`
 * the first row, from 0, that shows the character; -1: none does.
 */
export function placeOf(text, code) {
  const names = [...constants(text)].filter(([, number]) => number === code).map(([name]) => name);
  const isNamed = (row) => row.replace(/"[^"]*"/g, "").split(/[^\w@[\]\\$.#]+/).some((word) => word === String(code) || names.includes(word.toUpperCase()));
  const row = text.split("\n").findIndex((each) => SHOWS.test(each) && !REMARK.test(each) && isNamed(each));
  return { row, name: names[0] ?? String(code) };
}

/** Rows of X and . as dots; null if they are not a drawing of whole characters. */
function dotsOf(rows) {
  const dots = rows.map((row) => row.replace(/[\s|]/g, "")).filter(Boolean).map((row) => [...row].map((dot) => SET_DOTS.test(dot)));
  const width = dots[0]?.length ?? 0;
  const isWhole = width && width <= WIDEST && width % SIZE === 0 && dots.length % SIZE === 0;
  return isWhole && dots.every((row) => row.length === width) ? dots : null;
}

/** The rows of a block, with a space between characters. */
export function rowsOf(dots) {
  return dots.map((row) => row.map((dot, at) => `${at && at % SIZE === 0 ? " " : ""}${dot ? "X" : "."}`).join(""));
}

/** The head of a block with its color set to [foreground, background]. */
export function colored(head, [foreground, background]) {
  const clause = `COLOR ${foreground},${background}`;
  return COLOR.test(head) ? head.replace(COLOR, clause) : `${head.trimEnd()} ${clause}`;
}

/** The number of the set of a character, and its first and last code. */
export function setOf(code) {
  const set = Math.floor((code - FIRST_SET) / SET) + 1;
  const first = FIRST_SET + (set - 1) * SET;
  return { set, first, last: first + SET - 1 };
}

const count = ({ dots }) => (dots.length / SIZE) * (dots[0].length / SIZE);

/** The drawings whose colors change with those of one, itself included; a sprite has its own. */
export function sharing(all, one) {
  if (one.code === null) return [one];
  const { first, last } = setOf(one.code);
  return all.filter((each) => each === one || (!each.isSprite && each.code !== null && each.code <= last && each.code + count(each) > first));
}

/** The first free code for this number of characters in a row; null if there is none. */
export function freeCode(all, characters, isSprite) {
  const [first, last] = FREE;
  const step = isSprite ? 4 : 1; // a large sprite begins at a multiple of 4
  for (let code = first; code + characters - 1 <= last; code += step) {
    const isTaken = all.some((each) => each.code !== null && each.code < code + characters && each.code + count(each) > code);
    if (!isTaken) return code;
  }
  return null;
}

export const empty = (width, height) => Array.from({ length: height }, () => Array(width).fill(false));

/** Changes of a whole drawing: name → function from dots to dots. */
export const CHANGES = {
  "Mirror": (dots) => dots.map((row) => [...row].reverse()),
  "Flip": (dots) => [...dots].reverse(),
  "Turn": (dots) => dots[0].map((_, x) => dots.map((row) => row[x]).reverse()),
  "Invert": (dots) => dots.map((row) => row.map((dot) => !dot)),
  "Clear": (dots) => empty(dots[0].length, dots.length),
  "←": (dots) => dots.map(([first, ...rest]) => [...rest, first]),
  "→": (dots) => dots.map((row) => [row.at(-1), ...row.slice(0, -1)]),
  "↑": ([first, ...rest]) => [...rest, first],
  "↓": (dots) => [dots.at(-1), ...dots.slice(0, -1)],
};
