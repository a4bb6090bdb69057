// Sound with Web Audio: the chip's registers in each frame go to a processor that plays them in time.
//
// Even silence takes processor time while the computer's audio runs. So it rests after a while in
// which nothing was heard; what sounds while it starts again waits for it.

import { addressOf } from "./packed.js";

const REST = 3000; // milliseconds of silence before the audio rests
const MOST_HELD = 30; // frames that wait for the audio to start; more, and it is not allowed to yet
const SILENT = 15; // attenuation

/** Whether anything is heard in a frame: [3 periods, noise control, 4 attenuations]. */
const sounds = (frame) => frame.slice(4).some((attenuation) => attenuation < SILENT);

export class Sound {
  constructor() {
    this.context = null;
    this.node = null;
    this.on = true;
    this.rest = REST;
    this.isResting = false;
    this.held = []; // frames that wait
    this.timer = null;
  }

  /** Start the sound; browsers allow that only after an action of the user. */
  async wake() {
    if (!this.on) return;
    if (!this.context) {
      const Context = window.AudioContext;
      if (!Context) return;
      this.context = new Context({ latencyHint: "interactive" });
      this.context.onstatechange = () => this.started();
      if (this.context.audioWorklet) {
        await this.context.audioWorklet.addModule(addressOf("voices.js"));
        this.node = new AudioWorkletNode(this.context, "voices", { numberOfInputs: 0 });
        this.node.connect(this.context.destination);
      }
      this.started();
    }
    // Not awaited: without a sound card, or before the user has done something, it never comes.
    // Safari calls it interrupted when a phone call has taken the sound away.
    if (!this.isResting && this.context.state !== "running") this.context.resume().catch(() => {});
  }

  /** The audio runs: play what waited for it. */
  started() {
    if (this.context.state !== "running" || !this.node) return;
    if (this.held.length) this.node.port.postMessage(this.held);
    this.held = [];
    this.restLater();
  }

  /** Play the chip's registers of these frames. */
  play(frames) {
    if (!this.on || !this.node || !frames.length) return;
    if (frames.some(sounds)) this.stir();
    if (this.isResting) return;
    if (this.context.state === "running") this.node.port.postMessage(frames);
    else this.held = [...this.held, ...frames].slice(-MOST_HELD);
  }

  /** Something is to be heard. */
  stir() {
    this.restLater();
    if (!this.isResting) return;
    this.isResting = false;
    this.context.resume().catch(() => {});
  }

  restLater() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.context.state !== "running") return;
      this.isResting = true;
      this.context.suspend().catch(() => {});
    }, this.rest);
  }

  silence() {
    this.held = [];
    this.node?.port.postMessage(null);
  }

  /** Switch it on or off. */
  set(on) {
    this.on = on;
    if (on) this.wake();
    else this.silence();
  }
}
