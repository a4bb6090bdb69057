// The keys of our games, as their manuals name them: [name in key scripts, what it does].

const START = ["1", "Play, at the title"];
const ARROWS = [["LEFT", "Left"], ["UP", "Up"], ["DOWN", "Down"], ["RIGHT", "Right"]];
const CAPS = { LEFT: "◀", RIGHT: "▶", UP: "▲", DOWN: "▼", BACK: "FCTN 9" };

export const KEYS = {
  d5000: [
    ["ENTER", "Roll, go on"], ["S", "Stop and bank"], ["1", "Die 1, play"], ["2", "Die 2"], ["3", "Die 3"],
    ["4", "Die 4"], ["5", "Die 5"],
  ],
  dicerack: [
    ["LEFT", "Left"], ["RIGHT", "Right"], ["ENTER", "Stay, drop"], ["SPACE", "Drop at once"],
    ["1", "Play, sums"], ["BACK", "Leave"],
  ],
  lambo: [
    ...ARROWS, ["SPACE", "Turn"], ["ENTER", "Place"], ["U", "Take back"], ["0", "Nearly closed"], START,
    ["BACK", "Resign"],
  ],
  dimraw: [...ARROWS, ["ENTER", "This point"], START, ["BACK", "Resign"]],
};

const ALL = [...ARROWS, ["ENTER", "Enter"], ["SPACE", "Space"], ["1", "1"]];

/** Buttons with the keys of a game. @param send takes (key, "down" | "up") */
export function show(element, game, send) {
  element.replaceChildren(...(KEYS[game] ?? ALL).map(([key, meaning]) => button(key, meaning, send)));
}

function button(key, meaning, send) {
  const found = document.createElement("button");
  found.type = "button";
  found.dataset.key = key;
  const cap = document.createElement("b");
  cap.textContent = CAPS[key] ?? key;
  const text = document.createElement("i");
  text.textContent = meaning;
  found.append(cap, text);
  let isDown = false;
  const press = (way) => (event) => {
    event.preventDefault();
    if (isDown === (way === "down")) return;
    isDown = way === "down";
    found.classList.toggle("down", isDown);
    if (isDown && event.pointerId !== undefined) found.setPointerCapture(event.pointerId);
    if (isDown) navigator.vibrate?.(8);
    send(key, way);
  };
  found.addEventListener("pointerdown", press("down"));
  for (const each of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) found.addEventListener(each, press("up"));
  found.addEventListener("keydown", (event) => /^(Enter| )$/.test(event.key) && !event.repeat && press("down")(event));
  found.addEventListener("keyup", (event) => /^(Enter| )$/.test(event.key) && press("up")(event));
  found.addEventListener("contextmenu", (event) => event.preventDefault());
  return found;
}
