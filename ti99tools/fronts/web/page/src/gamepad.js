// A gamepad: its cross acts as the arrow keys (or joystick 1), its buttons as the keys of a game.

import { KEYS } from "./games.js";

const CROSS = { 12: "UP", 13: "DOWN", 14: "LEFT", 15: "RIGHT" }; // buttons of the standard layout
const TILT = 0.5;
const START = 9;
const FIRE = 0;
const CENTRE = String([0, 0, false]);

/** The names of the keys held on a pad. @param keys those of buttons 0, 1, … */
export function held(pad, keys) {
  const found = new Set();
  for (const [at, key] of Object.entries(CROSS)) if (pad.buttons[at]?.pressed) found.add(key);
  const [x = 0, y = 0] = pad.axes;
  if (x < -TILT) found.add("LEFT");
  if (x > TILT) found.add("RIGHT");
  if (y < -TILT) found.add("UP");
  if (y > TILT) found.add("DOWN");
  for (const [at, key] of keys.entries()) if (pad.buttons[at]?.pressed) found.add(key);
  if (pad.buttons[START]?.pressed) found.add("1");
  return found;
}

export class Gamepad {
  /**
   * @param send takes (key, "down" | "up")
   * @param stick takes (x, y, fire)
   */
  constructor(send, stick) {
    this.send = send;
    this.stick = stick;
    this.joystick = false;
    this.game = ""; // the game whose keys the buttons are; none in the editor
    this.down = new Set();
    this.told = CENTRE;
    this.next = 0;
    addEventListener("gamepadconnected", () => this.look());
  }

  look() {
    const pad = navigator.getGamepads().find(Boolean);
    cancelAnimationFrame(this.next); // one look per frame, however many pads there are
    if (pad) this.next = requestAnimationFrame(() => this.look());
    const arrows = Object.values(CROSS);
    const keys = (KEYS[this.game] ?? [["ENTER"], ["SPACE"]]).map(([key]) => key).filter((key) => !arrows.includes(key)).slice(0, 4);
    const now = pad ? held(pad, keys) : new Set();
    if (this.joystick) return this.move(now, pad?.buttons[FIRE]?.pressed ?? false);
    this.move(new Set(), false); // the stick may still lean from before the arrows became keys
    for (const key of this.down) if (!now.has(key)) this.send(key, "up");
    for (const key of now) if (!this.down.has(key)) this.send(key, "down");
    this.down = now;
  }

  move(now, fire) {
    const axis = (less, more) => 4 * (now.has(more) - now.has(less));
    const at = [axis("LEFT", "RIGHT"), axis("DOWN", "UP"), fire];
    if (String(at) === this.told) return;
    this.told = String(at);
    this.stick(...at);
  }
}
