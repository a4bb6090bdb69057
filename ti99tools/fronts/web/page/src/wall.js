// Matches that are being proven, as a wall of small screens.

import { $, make } from "./dom.js";
import { Screen } from "./screen.js";

const MOST = 12; // most screens
const EACH = 350; // milliseconds that each picture of a match is shown

export class Wall {
  /** @param looks the bridge's facts about pictures */
  constructor(looks) {
    this.looks = looks;
    this.element = make("div", { id: "wall", hidden: true });
    this.next = 0;
  }

  clear() {
    this.element.replaceChildren();
    this.element.hidden = true;
    this.next = 0;
  }

  /**
   * Show a match on a new screen, or on that of the oldest match; a match that differs stays.
   * @param seen `result` is the number of pictures, `blob` their dots
   */
  show(number, isRight, { result: count, blob }) {
    if (!count) return;
    const text = `Match ${number}: ${isRight ? "as the rules say" : "differs from the rules"}`;
    const tile = this.tile();
    if (!tile) return;
    tile.className = isRight ? "right" : "wrong";
    tile.title = text;
    $("figcaption", tile).textContent = `${isRight ? "✓" : "✗"} ${number}`;
    $("canvas", tile).setAttribute("aria-label", text);
    this.element.hidden = false;
    const length = blob.length / count;
    const pictures = Array.from({ length: count }, (_, at) => blob.subarray(at * length, (at + 1) * length));
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.play(tile, isStill ? pictures.slice(-1) : pictures);
  }

  /** The screen for the next match; null if all screens show matches that differ. */
  tile() {
    const { children } = this.element;
    if (children.length < MOST) {
      const canvas = make("canvas", { role: "img" });
      const tile = make("figure", {}, canvas, make("figcaption", {}));
      tile.screen = new Screen(canvas, this.looks);
      this.element.append(tile);
      return tile;
    }
    for (let tried = 0; tried < MOST; tried++) {
      const tile = children[this.next++ % MOST];
      if (tile.className !== "wrong") return tile;
    }
    return null;
  }

  /** Show pictures one after another. */
  play(tile, [picture, ...rest]) {
    clearTimeout(tile.timer);
    tile.screen.show(picture);
    if (rest.length) tile.timer = setTimeout(() => this.play(tile, rest), EACH);
  }
}
