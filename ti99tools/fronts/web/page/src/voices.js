// The sound chip (TMS9919): three square waves and a noise, from its registers frame by frame.
// Source: its data sheet; the same as render/synth.py: 111,861 Hz / period, a 15-bit register.

const CLOCK = 3579545 / 32;
const FRAME = 50064 / 3e6;
const SILENT = 15;
const LEVEL = 0.18;
const NOISE_PERIODS = [16, 32, 64];
const MOST_WAITING = 8; // frames
const MOST_LATE = 30; // frames that wait while all of them sound
const QUIET = [0, 0, 0, 0, SILENT, SILENT, SILENT, SILENT];
const LEVELS = Array.from({ length: 16 }, (_, step) =>
  step === SILENT ? 0 : LEVEL * 10 ** (-step / 10),
);

/** What has to wait too long is cut where it is silent: a sound keeps its beginning, and its end. */
function trimmed(queue) {
  let over = queue.length - MOST_WAITING;
  const sounds = (frame) => frame.slice(4).some((step) => step < SILENT);
  return queue.filter((frame, at) => sounds(frame) || at === queue.length - 1 || over-- <= 0).slice(-MOST_LATE);
}

class Voices extends AudioWorkletProcessor {
  constructor() {
    super();
    this.queue = [];
    this.now = QUIET;
    this.left = 0;
    this.phases = [0, 0, 0, 0];
    this.shift = 0x4000;
    this.port.onmessage = ({ data }) => {
      this.queue = data === null ? [QUIET] : trimmed([...this.queue, ...data]);
    };
  }

  process(inputs, [[samples]]) {
    for (let at = 0; at < samples.length; at++) {
      if (this.left <= 0 && this.queue.length) {
        this.now = this.queue.shift();
        this.left += FRAME * sampleRate;
      }
      this.left--;
      if (!this.queue.length && this.left < 0) this.left = 0;
      samples[at] = this.sample();
    }
    return true;
  }

  sample() {
    let sum = 0;
    for (let voice = 0; voice < 3; voice++) {
      const level = LEVELS[this.now[4 + voice]];
      const step = CLOCK / (this.now[voice] || 1024) / sampleRate;
      if (!level || step >= 0.5) continue;
      this.phases[voice] = (this.phases[voice] + step) % 1;
      sum += this.phases[voice] < 0.5 ? level : -level;
    }
    const level = LEVELS[this.now[7]];
    return level ? sum + this.noise(level) : sum;
  }

  noise(level) {
    const control = this.now[3];
    const period = (control & 3) === 3 ? this.now[2] : NOISE_PERIODS[control & 3];
    this.phases[3] += CLOCK / (period || 1024) / sampleRate;
    while (this.phases[3] >= 1) {
      this.phases[3]--;
      const back = control & 4 ? (this.shift ^ (this.shift >> 1)) & 1 : this.shift & 1;
      this.shift = (this.shift >> 1) | (back << 14);
    }
    return this.shift & 1 ? level : -level;
  }
}

registerProcessor("voices", Voices);
