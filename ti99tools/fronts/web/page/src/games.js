// The keys on the screen: what a program asks for, or else what is known of a match of a game.

const ARROWS = [["LEFT", "Left"], ["UP", "Up"], ["DOWN", "Down"], ["RIGHT", "Right"]];
const CAPS = { LEFT: "◀", RIGHT: "▶", UP: "▲", DOWN: "▼", BACK: "FCTN 9" };

/** The keys of a match, as the manuals name them: [key of a key script, what it does]. */
export const KEYS = {
  d5000: [
    ["ENTER", "Roll, go on"], ["S", "Stop and bank"], ["1", "Die 1"], ["2", "Die 2"], ["3", "Die 3"], ["4", "Die 4"],
    ["5", "Die 5"], ["BACK", "Leave"],
  ],
  dicerack: [
    ["LEFT", "Left"], ["RIGHT", "Right"], ["ENTER", "Stay, drop"], ["SPACE", "Drop at once"], ["1", "Sums"], ["BACK", "Leave"],
    ...[..."ABCDEFGHIJKLMNOPQRST"].map((gate) => [gate, ""]),
  ],
  lambo: [
    ...ARROWS, ["SPACE", "Turn"], ["ENTER", "Place"], ["U", "Take back"], ["0", "Nearly closed"], ["BACK", "Resign"],
  ],
  dimraw: [...ARROWS, ["ENTER", "This point"], ["BACK", "Resign"]],
};

const ALL = [...ARROWS, ["ENTER", ""], ["SPACE", ""], ["1", ""]];
const GO_ON = [["ENTER", "Go on"]];

/** What a screen says → the keys that answer it; the first that fits counts. */
const ANSWERS = [
  [/\bY OR N\b|\bY\/N\b/, () => [["Y", "Yes"], ["N", "No"]]],
  [/PRESS ANY KEY/, () => GO_ON],
  [/ENTER FOR/, () => GO_ON],
  [/WHO PLAYS\?/, () => [["H", "Human"], ["T", "Tex, bold"], ["A", "Ada, careful"], ["G", "Gus, steady"], ["I", "Ida, sharp"]]],
  [/HOW MANY.*\b1 TO ([2-9])\b/, ([, most]) => [..."123456789".slice(0, most)].map((key) => [key, key > 1 ? "players" : "player"])],
];
// "1 PLAY", "H HUMAN  C COMPUTER": a letter or digit, and a word of three letters or more with others after it.
const OPTION = /(?:^|\s\s|[^A-Z0-9.,:;!?' ] )([1-9A-Z]) ((?=[A-Z ]{0,2}[A-Z]{3})[A-Z](?:[A-Z]|[,:]? (?=[A-Z]))+)/gm;

/** The keys that a program takes, as far as its screen tells. */
export function keysOf(game, text) {
  for (const [pattern, keys] of ANSWERS) {
    const found = pattern.exec(text);
    if (found) return keys(found);
  }
  const found = [...text.matchAll(OPTION)].map(([, key, words]) => [key, words[0] + words.slice(1).toLowerCase()]);
  // A menu has either digits or letters; others are words in its lines.
  const options = new Map(found.filter(([key]) => /\d/.test(key) === /\d/.test(found[0][0])));
  // One alone may be a sentence.
  if (options.size > 1) return [...options, ...(/\bENTER\b/.test(text) ? GO_ON : [])];
  return KEYS[game] ?? ALL;
}

/** Show buttons with keys. One that a finger is on stays until it is let go. @param send takes (key, "down" | "up") */
export function show(element, keys, send) {
  const shown = JSON.stringify(keys);
  if (element.dataset.shown === shown) return;
  const focused = element.contains(document.activeElement);
  element.dataset.shown = shown;
  // What is taken out of the page loses its finger, so the buttons that are down stay where they are.
  const held = [...element.children].filter((each) => each.classList.contains("down"));
  for (const each of [...element.children]) if (!held.includes(each)) each.remove();
  let next = element.firstChild;
  for (const [key, meaning] of keys) {
    const kept = held.find((each) => each.dataset.key === key);
    if (kept) label(kept, key, meaning);
    else element.insertBefore(button(key, meaning, send), next);
    if (kept) next = kept.nextSibling;
  }
  const stays = new Set(keys.map(([key]) => key));
  for (const each of held) each.classList.toggle("leaves", !stays.has(each.dataset.key));
  element.querySelector(":not(.bare) + .bare")?.before(document.createElement("hr")); // letters in rows of their own
  if (focused && !held.length) element.firstChild.focus();
}

/** Write on a button what its key is and does. */
function label(found, key, meaning) {
  const [cap, text] = found.children;
  cap.textContent = CAPS[key] ?? key;
  text.textContent = meaning;
  found.classList.toggle("bare", !meaning && key.length === 1);
}

function button(key, meaning, send) {
  const found = document.createElement("button");
  found.type = "button";
  found.dataset.key = key;
  found.append(document.createElement("b"), document.createElement("i"));
  label(found, key, meaning);
  let isDown = false;
  const press = (way) => (event) => {
    event.preventDefault();
    if (isDown === (way === "down")) return;
    isDown = way === "down";
    found.classList.toggle("down", isDown);
    if (isDown && event.pointerId !== undefined) found.setPointerCapture(event.pointerId);
    if (isDown) navigator.vibrate?.(8);
    send(key, way);
    if (!isDown && found.classList.contains("leaves")) found.remove();
  };
  found.addEventListener("pointerdown", press("down"));
  for (const each of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) found.addEventListener(each, press("up"));
  found.addEventListener("keydown", (event) => /^(Enter| )$/.test(event.key) && !event.repeat && press("down")(event));
  found.addEventListener("keyup", (event) => /^(Enter| )$/.test(event.key) && press("up")(event));
  found.addEventListener("contextmenu", (event) => event.preventDefault());
  return found;
}
