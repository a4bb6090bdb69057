// A tune as steps of equal length, and as the CALL SOUND statements of a source.

const LOWEST = 48; // the C below middle C in MIDI's numbering
export const NOTES = Array.from({ length: 37 }, (_, at) => LOWEST + at); // three octaves
const NAMES = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"];
const CONCERT_PITCH = [69, 440];
export const NOISES = [-1, -2, -3, -4, -5, -6, -7, -8];
export const MOST_STEPS = 64;
export const LONGEST = 4250; // milliseconds of one CALL SOUND
const SILENCE = [40000, 30]; // an inaudible tone, for rests
const LOWEST_TONE = 110; // hertz; the lowest that CALL SOUND takes
const HIGHEST_TONE = 44733;
const STATEMENT = /^\s*CALL\s+SOUND\s*\(\s*(\d+(?:\s*,\s*-?\d+)+)\s*\)\s*$/i;
const HERTZ = 111860.8; // a tone's frequency is this divided by its period
export const FRAMES = 60; // a second
const SILENT = 15; // attenuation
export const VOLUMES = [2, 6, 6, 8]; // default volumes of three voices and the noise; 0 is loudest, 30 is silent
const DECIBELS = 2; // steps of CALL SOUND's volume per step of the chip's attenuation

export const named = (note) => `${NAMES[note % 12]}${Math.floor(note / 12) - 1}`;
export const hertz = (note) => Math.round(CONCERT_PITCH[1] * 2 ** ((note - CONCERT_PITCH[0]) / 12));

/** The note nearest to a frequency in hertz. */
export const nearest = (frequency) => Math.round(CONCERT_PITCH[0] + 12 * Math.log2(frequency / CONCERT_PITCH[1]));

/**
 * A step is {tones, noise}: for each of three voices {hertz, volume} or null, and {kind, volume} or
 * null, kind being -1 to -8 and volumes as CALL SOUND counts them.
 */
export const rest = () => ({ tones: [null, null, null], noise: null });

const isNumber = (value, least, most) => Number.isFinite(value) && value >= least && value <= most;
const isVolume = (value) => isNumber(value, 0, SILENCE[1]);
const isStep = (step) =>
  step?.tones?.length === 3 && step.tones.every((tone) => tone === null || (isNumber(tone?.hertz, LOWEST_TONE, HIGHEST_TONE) && isVolume(tone.volume))) &&
  (step.noise === null || (NOISES.includes(step.noise?.kind) && isVolume(step.noise.volume)));

/** Whether something read from the browser's storage is a tune {steps, length, volumes}. */
export const isTune = (found) =>
  Array.isArray(found?.steps) && isNumber(found.steps.length, 1, MOST_STEPS) && found.steps.every(isStep) &&
  isNumber(found.length, 1, LONGEST) && found.volumes?.length === 4 && found.volumes.every(isVolume);

/** The arguments of CALL SOUND for a step; a tone's place determines its voice. */
function sounds({ tones, noise }) {
  const last = tones.findLastIndex((tone) => tone !== null);
  const found = tones.slice(0, last + 1).flatMap((tone) => (tone ? [tone.hertz, tone.volume] : SILENCE));
  if (noise) found.push(noise.kind, noise.volume);
  return found.length ? found : SILENCE;
}

/** The rows of a tune; equal steps in a row become one statement. */
export function statements({ steps, length }) {
  const rows = [];
  for (const step of steps) {
    const what = sounds(step).join(",");
    const last = rows.at(-1);
    if (last?.what === what && last.length + length <= LONGEST) last.length += length;
    else rows.push({ what, length });
  }
  return rows.map(({ what, length: long }) => `CALL SOUND(${long},${what})`);
}

const divisor = (a, b) => (b ? divisor(b, a % b) : a);
const isRest = (pitch, volume) => pitch === SILENCE[0] && volume === SILENCE[1];

/** The step of these arguments; null if CALL SOUND does not accept them. */
function stepOf(args) {
  const step = rest();
  let voice = 0;
  if (args.length % 2) return null;
  for (let at = 0; at < args.length; at += 2) {
    const [pitch, volume] = args.slice(at, at + 2);
    if (volume < 0 || volume > SILENCE[1]) return null;
    if (NOISES.includes(pitch) && !step.noise) step.noise = { kind: pitch, volume };
    else if (pitch < LOWEST_TONE || pitch > HIGHEST_TONE || voice > 2) return null;
    else step.tones[voice++] = isRest(pitch, volume) ? null : { hertz: pitch, volume };
  }
  return step;
}

/**
 * The tune that contains a row of the text (from 0): {from, to, steps, length, volumes}, or null.
 * It represents the rows exactly: `statements` gives them back.
 */
export function tuneAt(text, row) {
  const rows = text.split("\n");
  const isPart = (at) => STATEMENT.test(rows[at] ?? "");
  if (!isPart(row)) return null;
  let from = row;
  let to = row;
  while (isPart(from - 1)) from--;
  while (isPart(to + 1)) to++;
  const read = rows.slice(from, to + 1).map((each) => STATEMENT.exec(each)[1].split(",").map(Number));
  const length = read.map(([long]) => long).reduce(divisor);
  const isLong = read.some(([long]) => long < 1 || long > LONGEST);
  if (isLong || read.reduce((sum, [long]) => sum + long / length, 0) > MOST_STEPS) return null;
  const volumes = [...VOLUMES]; // for notes to be added: the last ones read
  const steps = [];
  for (const [long, ...args] of read) {
    const step = stepOf(args);
    if (!step) return null;
    for (const [voice, tone] of [...step.tones, step.noise].entries()) if (tone && tone.volume < SILENCE[1]) volumes[voice] = tone.volume;
    for (let times = long / length; times > 0; times--) steps.push(structuredClone(step));
  }
  return { from, to, steps, length, volumes };
}

/** The sound chip's registers in a step, in the form of the console's frames. */
export function frames({ tones, noise }, length) {
  const level = (voice) => (voice ? Math.min(SILENT, Math.floor(voice.volume / DECIBELS)) : SILENT);
  const periods = tones.map((tone) => (tone ? Math.round(HERTZ / tone.hertz) : 0));
  const chip = [...periods, noise ? NOISES.indexOf(noise.kind) : 0, ...tones.map(level), level(noise)];
  return Array.from({ length: Math.max(1, Math.round((length / 1000) * FRAMES)) }, () => chip);
}
