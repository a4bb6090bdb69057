// Room to write: the borders between source, tools and console, which can be moved; what is folded away.

import { $ } from "./dom.js";

const STEP = 24; // pixels that an arrow key moves a border
const LEAST = 120; // pixels that are left on either side of a border

export class Room {
  /** @param store keeps where the borders are, and what is folded */
  constructor(store) {
    this.store = store;
    this.main = $("main");
  }

  begin() {
    this.border($("#split-rows"), "tools", (box, { clientY }) => box.bottom - clientY, ({ height }) => height, $("#tools"), { ArrowUp: 1, ArrowDown: -1 });
    this.border($("#split-columns"), "console", (box, { clientX }) => box.right - clientX, ({ width }) => width, $("#play"), { ArrowLeft: 1, ArrowRight: -1 });
    for (const part of ["tools", "console"]) {
      $(`#fold-${part}`).onclick = () => this.fold(part, !this.isFolded(part));
      this.fold(part, this.store.setting(`fold-${part}`) ?? false);
    }
    // A tab that is chosen is meant to be seen.
    $("#tabs").addEventListener("click", ({ target }) => target.closest("[role=tab]") && this.fold("tools", false));
  }

  isFolded(part) {
    return document.body.classList.contains(`no-${part}`);
  }

  fold(part, isFolded) {
    document.body.classList.toggle(`no-${part}`, isFolded);
    const button = $(`#fold-${part}`);
    button.setAttribute("aria-expanded", String(!isFolded));
    button.textContent = `${isFolded ? "Show" : "Hide"} ${part}`;
    this.store.set(`fold-${part}`, isFolded);
  }

  /** Let a border be moved by pointer and keys. `sizeAt` gives the part's size for a pointer. */
  border(bar, name, sizeAt, sizeOf, part, keys) {
    const set = (size) => {
      const whole = sizeOf(this.main.getBoundingClientRect());
      const share = Math.min(Math.max(size, LEAST), whole - LEAST) / whole;
      this.put(bar, name, share);
      this.store.set(`room-${name}`, share);
    };
    const kept = this.store.setting(`room-${name}`);
    if (typeof kept === "number" && kept > 0 && kept < 1) this.put(bar, name, kept);
    bar.onpointerdown = (event) => {
      event.preventDefault();
      bar.setPointerCapture(event.pointerId);
      bar.onpointermove = (moved) => set(sizeAt(this.main.getBoundingClientRect(), moved));
    };
    bar.onpointerup = bar.onpointercancel = () => (bar.onpointermove = null);
    bar.onkeydown = (event) => {
      if (!(event.key in keys)) return;
      event.preventDefault();
      set(sizeOf(part.getBoundingClientRect()) + keys[event.key] * STEP);
    };
    bar.ondblclick = () => {
      this.main.style.removeProperty(`--${name}`);
      this.store.set(`room-${name}`, null);
    };
  }

  put(bar, name, share) {
    this.main.style.setProperty(`--${name}`, `${(100 * share).toFixed(1)}%`);
    bar.setAttribute("aria-valuenow", String(Math.round(100 * share)));
  }
}
