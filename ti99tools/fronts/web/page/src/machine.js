// The console in the page: run, stop, speed, picture, sound, keys, and where the program has stopped.

import { $, $$ } from "./dom.js";
import { Film } from "./film.js";
import { Keypad } from "./keypad.js";
import { Keys } from "./keys.js";
import { Screen } from "./screen.js";
import { Sound } from "./sound.js";

const SOON = 300; // milliseconds after a key; then its answer is there
const LOOK = 1000; // milliseconds between two looks at the screen as text
const SLICE = 0.2; // seconds that the worker goes on on the way back before it tells how far it is

export class Machine {
  /**
   * @param client the worker of the console
   * @param on.stopped takes {file, row} when the program stops before a row, null when it goes on
   * @param on.failed takes the error that stopped a program
   * @param on.looked is called when there is something new to see
   * @param on.read takes the screen as text when it has changed
   * @param on.rests is called when a program has ended or was stopped
   * @param on.returns is called before the program goes back; what it gives, after that: the drives whose disks have changed
   */
  constructor(client, on) {
    this.client = client;
    this.on = on;
    this.speed = 1;
    this.going = false; // whether a console is switched on
    this.paused = false;
    this.way = null; // {share} of the way back while the program is on it
    this.note = ""; // why the program could not go back
    this.state = null;
    this.sound = new Sound();
    this.film = new Film();
    this.rate = { clock: 0, at: 0, shown: "" };
    this.told = "";
  }

  /** Draw the console and listen to keys, once its looks are known. */
  begin(hello) {
    this.screen = new Screen($("#screen"), hello);
    this.looks = hello;
    const send = (key, way) => this.key(key, way);
    const stick = (x, y, fire) => this.going && this.client.call("joystick", { x, y, fire });
    this.keys = new Keys(hello.fctn, send, stick);
    this.keys.listen($("#screen"));
    this.keypad = new Keypad($("#keypad"), hello.fctn, send, stick);
    this.timer = setInterval(() => this.read(), LOOK);
    document.addEventListener("visibilitychange", () => this.pump());
  }

  /**
   * Start a project; rejects with its mistakes. Resolves with the bridge's answer and with `old`, the
   * bytes of a disk that was replaced; if it has `asks`, nothing was started.
   */
  async run(wish) {
    this.sound.wake();
    const answer = await this.client.call("run", wish);
    const found = answer.blob ? { ...answer.result, old: answer.blob } : answer;
    if (found.asks === undefined) this.started();
    return found;
  }

  /** Switch an empty console on; it starts what is in DSK1. */
  async boot(owner) {
    this.sound.wake();
    await this.client.call("boot", { owner });
    this.started();
  }

  /** A program is being built, which may take seconds. */
  builds() {
    $("#state").classList.remove("bad");
    $("#state").textContent = "Building…";
  }

  /** What was being built cannot be: say why, in the place of "Building…". */
  unbuilt(text) {
    $("#state").textContent = text;
    $("#state").classList.add("bad");
  }

  started() {
    this.going = true;
    this.film.clear();
    this.touched = false; // whether a key was pressed since the start
    document.body.classList.add("played");
    $("#picture").disabled = false;
    this.paused = false;
    this.way = null;
    this.note = "";
    this.state = null;
    this.told = "";
    this.on.stopped(null);
    this.show();
    this.pump();
    $("#screen").focus({ preventScroll: false });
  }

  /** Tell the worker how fast to go. */
  pump(key = false) {
    const runs = this.going && !this.paused && !this.way && !this.state?.stop && !document.hidden;
    const speed = runs ? this.speed : 0;
    if (!runs) this.sound.silence();
    return this.client.call("pump", { speed: speed === Infinity ? null : speed, key });
  }

  setSpeed(speed) {
    this.speed = speed;
    if (speed !== 1) this.sound.silence();
    if (this.going) this.pump();
  }

  /** Switch the console off; a worker that does not answer is replaced. */
  async stop() {
    if (!this.going) return;
    this.going = false;
    this.way = null;
    this.state = null;
    this.on.stopped(null);
    this.show();
    await this.client.insist(this.pump());
    this.on.rests();
  }

  /** Keep the program as it is while nobody sees it. */
  async hold() {
    if (!this.going) return;
    this.paused = true;
    this.show();
    await this.pump();
    this.on.rests();
  }

  /** Go on after `hold`. */
  goOn() {
    this.paused = false;
    this.show();
    $("#screen").focus({ preventScroll: false });
    return this.pump();
  }

  /** Go on from a moment that was played again. */
  returned() {
    this.going = true;
    this.state = null;
    this.told = "";
    this.film.clear();
    return this.goOn();
  }

  pause() {
    this.paused = !this.paused;
    this.show();
    return this.pump().then(() => this.on.looked());
  }

  /** Continue from a stop: run, step, over, out. */
  async go(pace) {
    if (!this.state?.stop) return;
    this.note = "";
    await this.client.call("go", { pace });
    this.state = { ...this.state, stop: null };
    this.on.stopped(null);
    this.show();
    await this.pump();
  }

  /** Whether the debugger can go back now: from a stop, a pause, or the end of the program. */
  get canGoBack() {
    const { going, paused, state, way } = this;
    return going && !way && Boolean(state?.debug) && (paused || Boolean(state.stop) || !state.running);
  }

  /** Go back: run, step, over, out. */
  async back(pace) {
    if (!this.canGoBack) return;
    const way = (this.way = { share: 0 });
    this.show();
    const returned = await this.on.returns();
    this.note = this.way === way ? await this.client.call("back", { pace }) : "";
    if (this.note) {
      this.way = null;
      return this.show();
    }
    this.paused = false;
    this.state = { ...this.state, stop: null, error: null };
    this.on.stopped(null);
    while (this.way === way) {
      const answer = await this.client.call("retrace", { seconds: SLICE });
      if (this.way !== way) return;
      const found = answer.blob ? answer.result : answer;
      way.share = found.done;
      if (found.done === 1) {
        this.way = null;
        this.frame({ ...found, dots: answer.blob });
        returned(found.drives);
      }
      this.show();
    }
  }

  key(key, way) {
    this.sound.wake();
    if (!this.going) return;
    this.touched = true;
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.read(), SOON);
    if (this.speed === 1) this.client.call("key", { key, way }).catch(() => {});
    else if (way === "down") {
      this.client.call("key", { key, way: "tap" }).catch(() => {});
      this.pump(true);
    }
  }

  /** Take the result of a slice. */
  frame({ dots, sounds, ...state }) {
    if (!this.going) return;
    if (dots) this.screen.show(dots);
    if (dots) this.film.add(state.clock, dots);
    if (this.speed === 1) this.sound.play(sounds);
    const before = this.state;
    this.state = state;
    this.tell(state);
    if (state.stop && !before?.stop) {
      this.paused = false;
      this.sound.silence();
      this.on.stopped(state.stop);
      this.on.looked();
      this.show();
    } else if (state.error && before?.error?.text !== state.error.text) this.on.failed(state.error);
    if (before?.running && !state.running) this.on.rests();
    if (before?.running !== state.running || before?.waits !== state.waits) this.show();
  }

  /** Show the clock and its speed. */
  tell({ clock, fast }) {
    const now = performance.now();
    const { rate } = this;
    if (now - rate.at > 500) {
      const ratio = (clock - rate.clock) / ((now - rate.at) / 1000);
      rate.shown = fast && ratio > 20 ? `${Math.round(ratio).toLocaleString("en")}×` : "";
      this.ratio = fast ? ratio : 0;
      rate.at = now;
      rate.clock = clock;
    }
    const time = spoken(clock);
    const text = rate.shown ? `${time} · ${rate.shown}` : time;
    if ($("#clock").textContent !== text) $("#clock").textContent = text;
  }

  /** Update the buttons and the line below the screen. */
  show() {
    const { going, paused, state, way, note } = this;
    const stop = state?.stop;
    $("#stop").disabled = $("#rewind").disabled = !going;
    $("#pause").disabled = !going || Boolean(stop) || Boolean(way);
    $("#pause").setAttribute("aria-pressed", String(paused));
    $("#play").classList.toggle("stands", Boolean(stop)); // it takes no keys
    $("#steps").hidden = !stop && !this.canGoBack && !way;
    for (const each of $$("#steps [data-pace]")) each.disabled = !stop;
    for (const each of $$("#steps [data-back]")) each.disabled = !this.canGoBack;
    let text = "";
    if (way) text = `Going back, ${Math.floor(100 * way.share)} %`;
    else if (stop) text = `Stopped at ${stop.file}:${stop.row}, ${note || stop.text || stop.reason}`;
    else if (paused) text = "Paused";
    else if (going && state) text = state.running ? "Running" : "At the prompt";
    if (state?.error && !stop && !way) text = failure(state.error);
    $("#state").textContent = text;
    $("#state").classList.toggle("bad", Boolean(state?.error) && !stop && !way);
    document.body.classList.toggle("going", going);
  }

  /** Update the screen as text, for screen readers. */
  async read() {
    if (!this.going || document.hidden) return;
    const rows = await this.client.call("screen").catch(() => null);
    // The cursor and the edges have codes below the blank: nothing to be read out.
    const text = rows?.map((row) => row.replace(/[\0-\x1f]/g, " ").trimEnd()).filter(Boolean).join("\n") ?? "";
    if (text === this.told) return;
    this.told = text;
    $("#text").textContent = text;
    this.on.read(text);
  }
}

/** An error, whose text names the line of the program, with its place in the source. */
export function failure({ text, file, row }) {
  return row ? `${text} (${file}:${row})` : text;
}

function spoken(seconds) {
  const whole = Math.floor(seconds);
  const pad = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const rest = `${pad(Math.floor(whole / 60) % 60)}:${pad(whole % 60)}`;
  return hours ? `${hours.toLocaleString("en")}:${rest}` : rest;
}

