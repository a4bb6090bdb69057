// From keys of this computer to keys of the TI-99/4A, as in the window of `play`.

const NAMED = {
  Enter: "ENTER",
  " ": "SPACE",
  ArrowLeft: "LEFT",
  ArrowRight: "RIGHT",
  ArrowUp: "UP",
  ArrowDown: "DOWN",
  Backspace: "LEFT",
  Delete: "DEL",
  Insert: "INS",
  Escape: "BACK",
};

const STICK = { ArrowLeft: [-4, 0], ArrowRight: [4, 0], ArrowUp: [0, 4], ArrowDown: [0, -4] };

export class Keys {
  /**
   * @param fctn key cap → the key typed with FCTN
   * @param send takes (key, "down" | "up")
   * @param stick takes (x, y, fire)
   */
  constructor(fctn, send, stick) {
    this.fctn = fctn;
    this.send = send;
    this.stick = stick;
    this.joystick = false;
    this.held = new Map(); // code of a key on this computer → the machine's key that it holds
    this.ways = new Set();
    this.fire = false;
  }

  /** Listen to an element that can have the focus. */
  listen(element) {
    element.addEventListener("keydown", (event) => this.down(event));
    element.addEventListener("keyup", (event) => this.up(event));
    element.addEventListener("blur", () => this.releaseAll());
  }

  down(event) {
    if (event.isComposing || event.key === "Tab" || event.metaKey) return;
    if (this.joystick && this.moves(event, true)) {
      event.preventDefault();
      return;
    }
    const key = this.keyOf(event);
    if (!key) return;
    event.preventDefault();
    if (event.repeat || this.held.has(event.code)) return;
    this.held.set(event.code, key);
    this.send(key, "down");
  }

  up(event) {
    if (this.joystick && this.moves(event, false)) return;
    const key = this.held.get(event.code);
    if (!key) return;
    this.held.delete(event.code);
    this.send(key, "up");
  }

  releaseAll() {
    for (const key of this.held.values()) this.send(key, "up");
    this.held.clear();
    if (this.ways.size || this.fire) {
      this.ways.clear();
      this.fire = false;
      this.stick(0, 0, false);
    }
  }

  /** The key that an event means, named as in key scripts; undefined for none. */
  keyOf({ key, code, altKey, ctrlKey }) {
    const number = /^F([1-9])$/.exec(key);
    if (number) return this.fctn[number[1]];
    const cap = /^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? key.toUpperCase();
    if (altKey) return this.fctn[cap];
    if (ctrlKey) return /^[A-Z0-9]$/.test(cap) ? `CTRL-${cap}` : undefined;
    if (NAMED[key]) return NAMED[key];
    return key >= "!" && key <= "~" && key.length === 1 ? key : undefined;
  }

  /** Move the joystick by arrow keys and Ctrl; false for another key. */
  moves({ key }, down) {
    if (key === "Control") this.fire = down;
    else if (!STICK[key]) return false;
    else if (down) this.ways.add(key);
    else this.ways.delete(key);
    const sum = (axis) => [...this.ways].reduce((total, way) => total + STICK[way][axis], 0);
    this.stick(sum(0), sum(1), this.fire);
    return true;
  }
}
