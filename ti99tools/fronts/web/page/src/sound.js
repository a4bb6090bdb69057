// Sound by Web Audio: what the chip held in each frame goes to a processor that plays it in time.

import { addressOf } from "./packed.js";

export class Sound {
  constructor() {
    this.context = null;
    this.node = null;
    this.on = true;
  }

  /** Switch the sound on; browsers allow it only when the user has done something. */
  async wake() {
    if (!this.on) return;
    if (!this.context) {
      const Context = window.AudioContext;
      if (!Context) return;
      this.context = new Context({ latencyHint: "interactive" });
      if (this.context.audioWorklet) {
        await this.context.audioWorklet.addModule(addressOf("voices.js"));
        this.node = new AudioWorkletNode(this.context, "voices", { numberOfInputs: 0 });
        this.node.connect(this.context.destination);
      }
    }
    if (this.context.state === "suspended") await this.context.resume();
  }

  /** What the chip held in each of these frames. */
  play(frames) {
    if (this.on && this.node && frames.length) this.node.port.postMessage(frames);
  }

  silence() {
    this.node?.port.postMessage(null);
  }

  /** Switch it on or off. */
  set(on) {
    this.on = on;
    if (on) this.wake();
    else this.silence();
  }
}
