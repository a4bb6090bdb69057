// A tune as steps of equal length, and as the CALL SOUND statements of a source.

const LOWEST = 48; // C below middle C, as MIDI numbers notes
export const NOTES = Array.from({ length: 37 }, (_, at) => LOWEST + at); // three octaves
const NAMES = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"];
const CONCERT_PITCH = [69, 440];
export const NOISES = [-1, -2, -3, -4, -5, -6, -7, -8];
export const LONGEST = 4250; // milliseconds of one CALL SOUND
const SILENCE = [40000, 30]; // a tone that nobody hears, for rests
const STATEMENT = /^\s*CALL\s+SOUND\s*\(\s*(\d+(?:\s*,\s*-?\d+)+)\s*\)\s*$/i;
const HERTZ = 111860.8; // of the chip, divided by the period of a tone
export const FRAMES = 60; // a second
const SILENT = 15; // attenuation
export const VOLUMES = [2, 6, 6, 8]; // of three voices and the noise; 0 is loudest, 30 is silent
const DECIBELS = 2; // of one step of attenuation, as CALL SOUND counts volumes

export const named = (note) => `${NAMES[note % 12]}${Math.floor(note / 12) - 1}`;
export const hertz = (note) => Math.round(CONCERT_PITCH[1] * 2 ** ((note - CONCERT_PITCH[0]) / 12));
const nearest = (frequency) => Math.round(CONCERT_PITCH[0] + 12 * Math.log2(frequency / CONCERT_PITCH[1]));

/** A step is {tones: [note or null, for three voices], noise: -1 to -8 or null}. */
export const rest = () => ({ tones: [null, null, null], noise: null });

/** The arguments of CALL SOUND for a step. @param volumes of three voices and the noise, 0 to 30 */
function sounds({ tones, noise }, volumes) {
  const found = tones.flatMap((note, voice) => (note === null ? [] : [hertz(note), volumes[voice]]));
  if (noise !== null) found.push(noise, volumes[3]);
  return found.length ? found : SILENCE;
}

/** The rows of a tune; steps that sound alike follow each other as one. */
export function statements({ steps, length, volumes }) {
  const rows = [];
  for (const step of steps) {
    const what = sounds(step, volumes).join(",");
    const last = rows.at(-1);
    if (last?.what === what && last.length + length <= LONGEST) last.length += length;
    else rows.push({ what, length });
  }
  return rows.map(({ what, length: long }) => `CALL SOUND(${long},${what})`);
}

const divisor = (a, b) => (b ? divisor(b, a % b) : a);

/** The tune that a row of the text, from 0, is part of: {from, to, steps, length, volumes}, or null. */
export function tuneAt(text, row, most) {
  const rows = text.split("\n");
  const isPart = (at) => STATEMENT.test(rows[at] ?? "");
  if (!isPart(row)) return null;
  let from = row;
  let to = row;
  while (isPart(from - 1)) from--;
  while (isPart(to + 1)) to++;
  const read = rows.slice(from, to + 1).map((each) => STATEMENT.exec(each)[1].split(",").map(Number));
  const length = read.map(([long]) => long).reduce(divisor);
  const volumes = [...VOLUMES];
  const steps = [];
  for (const [long, ...args] of read) {
    const step = rest();
    let voice = 0;
    for (let at = 0; at + 1 < args.length; at += 2) {
      const [pitch, volume] = args.slice(at, at + 2);
      if (pitch < 0) [step.noise, volumes[3]] = [pitch, volume];
      else if (volume < 30 && voice < 3) [step.tones[voice], volumes[voice++]] = [nearest(pitch), volume];
    }
    for (let times = long / length; times > 0; times--) steps.push(structuredClone(step));
  }
  return steps.length <= most ? { from, to, steps, length, volumes } : null;
}

/** What the sound chip holds in each frame of a step, as the console tells it. */
export function frames(step, length, volumes) {
  const periods = step.tones.map((note) => (note === null ? 0 : Math.round(HERTZ / hertz(note))));
  const quiet = (volume) => Math.min(SILENT, Math.floor(volume / DECIBELS));
  const levels = step.tones.map((note, voice) => (note === null ? SILENT : quiet(volumes[voice])));
  const noise = step.noise === null ? 0 : NOISES.indexOf(step.noise);
  const chip = [...periods, noise, ...levels, step.noise === null ? SILENT : quiet(volumes[3])];
  return Array.from({ length: Math.max(1, Math.round((length / 1000) * FRAMES)) }, () => chip);
}
