// Lets a console run in slices at a given speed: the machine's own, ten times that, or as fast as
// possible. Between two slices the worker answers the page, so that the page never waits for long.

const MOST_DUE = 6; // most frames to catch up on after the computer was busy elsewhere
const BUDGET = 0.012; // seconds of the host in a slice at full speed
const FRAME = 50064 / 3e6; // seconds

export class Pump {
  /**
   * @param call calls the bridge: (name, args) → {result, blob}
   * @param show takes the result of a slice: (state, dots)
   * @param fail takes an error that is our bug
   */
  constructor(call, show, fail) {
    this.call = call;
    this.show = show;
    this.fail = fail;
    this.speed = 0; // multiple of the machine's speed; 0: stopped
    this.waits = false;
    this.next = 0;
    this.working = false;
    this.timer = null;
    this.shown = 0;
  }

  /** Run at a multiple of the machine's speed; Infinity: as fast as possible; 0: stop. */
  set({ speed, key }) {
    if (speed !== undefined) this.speed = speed === null ? Infinity : speed;
    if (key) this.waits = false;
    this.next = Math.max(this.next, performance.now());
    this.go();
  }

  /** Note that another program was started. */
  fresh() {
    this.waits = false;
    this.next = performance.now();
  }

  go() {
    if (!this.working && this.speed) {
      clearTimeout(this.timer);
      this.slice();
    }
  }

  async slice() {
    this.working = true;
    try {
      await this.work();
    } catch (error) {
      this.speed = 0;
      this.fail(error);
    }
    this.working = false;
    if (!this.speed) return;
    const rest = this.fast ? 0 : Math.max(0, this.next - performance.now());
    this.timer = setTimeout(() => this.go(), rest);
  }

  /** Whether the console now runs as fast as possible. */
  get fast() {
    return this.speed === Infinity && !this.waits;
  }

  async work() {
    const begun = performance.now();
    const fast = this.fast;
    let answer;
    if (fast) {
      answer = await this.call("hurry", { seconds: BUDGET });
      this.next = performance.now();
    } else {
      const frames = this.due(begun);
      const times = this.speed === Infinity ? 1 : this.speed;
      if (frames) answer = await this.call("play", { frames: frames * times });
    }
    if (!answer) return;
    const state = answer.result;
    this.waits = state.waits;
    if (state.stop) this.speed = 0;
    this.show({ ...state, fast, taken: performance.now() - begun }, answer.blob);
  }

  /** The number of frames due, at most MOST_DUE: time that the computer slept is dropped. */
  due(now) {
    const frames = Math.floor((now - this.next) / (1000 * FRAME)) + 1;
    if (frames <= 0) return 0;
    if (frames > MOST_DUE) {
      this.next = now + 1000 * FRAME;
      return MOST_DUE;
    }
    this.next += frames * 1000 * FRAME;
    return frames;
  }
}
