// The machine's keyboard on the screen, for fingers and mice.

const ROWS = ["1234567890=", "QWERTYUIOP/", "ASDFGHJKL;⏎", "⇧ZXCVBNM,.", "⌃F␣◀▲▼▶"];
const LABELS = {
  "⏎": ["ENTER", "ENTER"], "⇧": ["SHIFT", null], "⌃": ["CTRL", null], "F4": ["FCTN", null],
  "␣": ["SPACE", "SPACE"], "◀": ["◀", "LEFT"], "▶": ["▶", "RIGHT"], "▲": ["▲", "UP"],
  "▼": ["▼", "DOWN"],
};
const SHIFTED = Object.fromEntries([..."1234567890/=;,."].map((cap, at) => [cap, "!@#$%^&*()-+:<>"[at]]));
const STICK = { "◀": [-4, 0], "▶": [4, 0], "▲": [0, 4], "▼": [0, -4], "␣": [0, 0] }; // ␣: the button
const SPOKEN = { "◀": "left", "▶": "right", "▲": "up", "▼": "down" };

export class Keypad {
  /** @param send takes (key, "down" | "up"); see Keys for `fctn` and `stick` */
  constructor(element, fctn, send, stick) {
    this.element = element;
    this.fctn = fctn;
    this.send = send;
    this.stick = stick;
    this.joystick = false;
    this.held = null; // SHIFT, FCTN or CTRL, held for the next key
    this.ways = new Set(); // keys that are moving the joystick
    this.build();
  }

  build() {
    for (const [number, row] of ROWS.entries()) {
      const line = document.createElement("div");
      line.className = "row";
      for (const cap of row) line.append(this.button(cap, number === 4 && cap === "F" ? "F4" : cap));
      this.element.append(line);
    }
  }

  button(cap, name) {
    const [label, key] = LABELS[name] ?? [cap, cap];
    const button = document.createElement("button");
    button.type = "button";
    button.tabIndex = -1;
    button.dataset.cap = label;
    const function_ = this.fctn[cap];
    button.innerHTML = "<b></b><i></i>";
    button.firstChild.textContent = label;
    if (key === cap && function_) button.lastChild.textContent = short(function_);
    if (SPOKEN[cap]) button.setAttribute("aria-label", SPOKEN[cap]);
    if (key === null) {
      button.className = "modifier";
      button.setAttribute("aria-pressed", "false");
      button.onclick = () => this.hold(this.held === label ? null : label);
      return button;
    }
    if (label.length > 1) button.className = "wide";
    let sent = null;
    const down = (event) => {
      event.preventDefault();
      button.setPointerCapture?.(event.pointerId);
      sent = this.moves(cap, true) ? null : this.meant(cap, key);
      if (sent) this.send(sent, "down");
      button.classList.add("down");
      navigator.vibrate?.(8);
    };
    const up = () => {
      if (sent) this.send(sent, "up");
      else if (this.ways.has(cap)) this.moves(cap, false);
      sent = null;
      button.classList.remove("down");
      this.hold(null);
    };
    button.addEventListener("pointerdown", down);
    button.addEventListener("pointerup", up);
    button.addEventListener("pointercancel", up);
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    return button;
  }

  /** Move the joystick by the arrows and SPACE; false for another key. */
  moves(cap, down) {
    if (!STICK[cap] || (!this.joystick && down)) return false;
    if (down) this.ways.add(cap);
    else this.ways.delete(cap);
    const sum = (axis) => [...this.ways].reduce((total, way) => total + STICK[way][axis], 0);
    this.stick(sum(0), sum(1), this.ways.has("␣"));
    return true;
  }

  meant(cap, key) {
    if (this.held === "FCTN") return this.fctn[cap] ?? null;
    if (this.held === "CTRL") return /^[A-Z0-9]$/.test(cap) ? `CTRL-${cap}` : null;
    if (this.held === "SHIFT") return SHIFTED[cap] ?? key;
    return key;
  }

  hold(modifier) {
    this.held = modifier;
    for (const button of this.element.querySelectorAll(".modifier")) {
      button.setAttribute("aria-pressed", String(button.dataset.cap === modifier));
    }
  }
}

function short(name) {
  return { PROCEED: "PROC'D" }[name] ?? name;
}
