// The pictures of the last seconds, and the animation (GIF) made of them.

const SECONDS = 10; // of machine time that are kept
const APART = 0.048; // seconds between two pictures
const MOST = 220; // pictures; while a program hurries they are far apart
const LEAST_DELAY = 2; // hundredths of a second: browsers slow down anything shorter
const LAST_DELAY = 100;
const CODE_BITS = 4; // a colour takes four bits
const CLEAR = 1 << CODE_BITS, END = CLEAR + 1;
const MOST_CODES = 4096;

export class Film {
  constructor() {
    this.pictures = []; // [{clock, dots}], oldest first
  }

  /** Begin again: another program, or another time. */
  clear() {
    this.pictures = [];
  }

  /** Take a picture, which is shown at a time of the machine's clock. */
  add(clock, dots) {
    const last = this.pictures.at(-1);
    if (last && clock < last.clock) this.clear();
    const before = this.pictures.at(-2);
    if (before && last.clock - before.clock < APART) this.pictures.pop();
    this.pictures.push({ clock, dots });
    while (this.pictures.length > MOST || this.pictures[0].clock < clock - SECONDS) this.pictures.shift();
  }

  /** The animation; null without any picture. @param looks the bridge's {palette, width, height, border} */
  gif(looks) {
    return this.pictures.length ? animated(this.pictures, looks) : null;
  }
}

/** Pictures, each {clock, dots}, as the bytes of a GIF that begins again at its end. */
export function animated(pictures, { palette, width, height, border }) {
  const wide = width + 2 * border, high = height + 2 * border;
  const out = [...bytes("GIF89a"), ...word(wide), ...word(high), 0xf3, 0, 0, ...palette.flat()];
  out.push(0x21, 0xff, 11, ...bytes("NETSCAPE2.0"), 3, 1, 0, 0, 0);
  let before = null;
  for (const [at, { clock, dots }] of pictures.entries()) {
    const whole = framed(dots, width, height, border);
    const next = pictures[at + 1];
    const delay = next ? Math.max(LEAST_DELAY, Math.round(100 * (next.clock - clock))) : LAST_DELAY;
    const box = changed(before, whole, wide, high);
    out.push(0x21, 0xf9, 4, 1 << 2, ...word(Math.min(delay, 65535)), 0, 0);
    out.push(0x2c, ...word(box.left), ...word(box.top), ...word(box.width), ...word(box.height), 0, CODE_BITS);
    for (const each of blocks(compressed(cut(whole, wide, box)))) out.push(...each);
    out.push(0);
    before = whole;
  }
  out.push(0x3b);
  return new Uint8Array(out);
}

const bytes = (text) => [...text].map((letter) => letter.charCodeAt(0));
const word = (number) => [number & 255, number >> 8];

/** The dots with a border in the backdrop's colour, which comes after them. */
function framed(dots, width, height, border) {
  const wide = width + 2 * border;
  const whole = new Uint8Array(wide * (height + 2 * border)).fill(dots[width * height]);
  for (let row = 0; row < height; row++) whole.set(dots.subarray(row * width, (row + 1) * width), (row + border) * wide + border);
  return whole;
}

/** The least box with everything that has changed; one dot if nothing has. */
function changed(before, after, wide, high) {
  if (!before) return { left: 0, top: 0, width: wide, height: high };
  let left = wide, right = -1, top = high, bottom = -1;
  for (let at = 0; at < after.length; at++) {
    if (before[at] === after[at]) continue;
    const column = at % wide, row = (at - column) / wide;
    left = Math.min(left, column);
    right = Math.max(right, column);
    top = Math.min(top, row);
    bottom = row;
  }
  if (right < 0) return { left: 0, top: 0, width: 1, height: 1 };
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function cut(whole, wide, { left, top, width, height }) {
  const part = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) part.set(whole.subarray((top + row) * wide + left, (top + row) * wide + left + width), row * width);
  return part;
}

/** Colours compressed by LZW, as a GIF has them. */
function compressed(colors) {
  const out = [];
  let bits = 0, count = 0;
  const put = (code, size) => {
    bits |= code << count;
    for (count += size; count >= 8; count -= 8, bits >>>= 8) out.push(bits & 255);
  };
  const table = new Uint16Array(MOST_CODES << CODE_BITS); // code and the colour after it → code of both
  let size = CODE_BITS + 1, free = END + 1;
  put(CLEAR, size);
  let code = colors[0];
  for (let at = 1; at < colors.length; at++) {
    const both = (code << CODE_BITS) | colors[at];
    if (table[both]) {
      code = table[both];
      continue;
    }
    put(code, size);
    if (free === MOST_CODES) {
      put(CLEAR, size);
      table.fill(0);
      size = CODE_BITS + 1;
      free = END + 1;
    } else {
      table[both] = free;
      if (free === 1 << size) size++; // whoever reads it knows one code less
      free++;
    }
    code = colors[at];
  }
  put(code, size);
  put(END, size);
  if (count) out.push(bits & 255);
  return out;
}

/** Blocks of at most 255 bytes, each after its length. */
function* blocks(data) {
  for (let at = 0; at < data.length; at += 255) {
    const part = data.slice(at, at + 255);
    yield [part.length, ...part];
  }
}
