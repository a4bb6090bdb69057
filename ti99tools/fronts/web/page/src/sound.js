// Sound with Web Audio: the chip's registers in each frame go to a processor that plays them in time.

import { addressOf } from "./packed.js";

export class Sound {
  constructor() {
    this.context = null;
    this.node = null;
    this.on = true;
  }

  /** Start the sound; browsers allow that only after an action of the user. */
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

  /** Play the chip's registers of these frames. */
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
