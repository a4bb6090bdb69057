// The picture on a canvas: 256 × 192 dots with a border in the backdrop's colour.

const CYAN = 7; // the screen's colour when the console is switched on

export class Screen {
  constructor(canvas, { palette, width, height, border }) {
    this.canvas = canvas;
    this.width = width;
    this.height = height;
    this.border = border;
    canvas.width = width + 2 * border;
    canvas.height = height + 2 * border;
    this.context = canvas.getContext("2d", { alpha: false });
    this.image = this.context.createImageData(canvas.width, canvas.height);
    this.pixels = new Uint32Array(this.image.data.buffer);
    this.colors = new Uint32Array(palette.map(([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r));
    this.dots = null;
    this.asked = false;
    this.frames = 0;
    this.pixels.fill(this.colors[CYAN]);
    this.context.putImageData(this.image, 0, 0);
  }

  /** Show these dots, followed by the backdrop's colour, at the next repaint. */
  show(dots) {
    this.dots = dots;
    if (!this.asked) {
      this.asked = true;
      requestAnimationFrame(() => this.paint());
    }
  }

  paint() {
    this.asked = false;
    const { dots, pixels, colors, width, height, border } = this;
    const full = width + 2 * border;
    pixels.fill(colors[dots[width * height]]);
    for (let row = 0, from = 0; row < height; row++) {
      let to = (row + border) * full + border;
      for (let column = 0; column < width; column++) pixels[to++] = colors[dots[from++]];
    }
    this.context.putImageData(this.image, 0, 0);
    this.frames++;
  }

  /** Save the picture as a PNG file. */
  picture() {
    return new Promise((resolve) => this.canvas.toBlob(resolve, "image/png"));
  }
}
