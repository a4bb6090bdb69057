// A small program in the fragment of a link, or of a file of this site that the fragment names.
// Browsers do not send fragments, so nothing leaves them.

const LONGEST = 8000; // most characters of a link that programs and messengers pass on whole
const MOST_LETTERS = 40000; // most characters of a link that is accepted
const MOST_BYTES = 200000; // most bytes of the program in it

const LARGEST = 500000; // most bytes of a source of this site
const SOURCE = /^[\w-]{1,40}\.(xb|bas)$/;

/** Bytes passed through a stream. Throws RangeError if the result is longer than `most` bytes. */
async function through(stream, data, most) {
  return gathered(new Blob([data]).stream().pipeThrough(stream), most);
}

/** The bytes of a stream. Throws RangeError if there are more than `most`. */
async function gathered(stream, most) {
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    size += value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new RangeError();
    }
    parts.push(value);
  }
}

/** The link that plays a program; null if the program is too long for a link. */
export async function linkTo(file, text) {
  const data = new TextEncoder().encode(`${file}\n${text}`);
  const packed = await through(new CompressionStream("deflate-raw"), data, Infinity);
  const letters = btoa(String.fromCharCode(...packed));
  const safe = letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const link = new URL(document.baseURI);
  link.hash = `run=${safe}`;
  return link.href.length > LONGEST ? null : link.href;
}

/** The program in a fragment: {file, text}. Throws an error that says what is wrong with it. */
export async function linked(hash) {
  const safe = /^#(?:xb|run)=([\w-]+)$/.exec(hash)?.[1] ?? "";
  if (safe.length > MOST_LETTERS) throw new Error("The link is too long: a program in a link is small.");
  let whole;
  try {
    const letters = atob(safe.replace(/-/g, "+").replace(/_/g, "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const data = await through(new DecompressionStream("deflate-raw"), packed, MOST_BYTES);
    whole = new TextDecoder().decode(data);
  } catch (error) {
    if (error instanceof RangeError) throw new Error("The program in the link is too long to be a program.");
    throw new Error("The link is damaged: its program cannot be read. Was it copied whole?");
  }
  const end = whole.indexOf("\n");
  const file = whole.slice(0, end);
  return { file: SOURCE.test(file) ? file : "shared.xb", text: whole.slice(end + 1) };
}

/** The program in a file of this site that a fragment names: {file, text}. Throws an error that says what is wrong. */
export async function fetched(hash) {
  let place;
  try {
    place = new URL(decodeURIComponent(hash.replace(/^#open=/, "")), document.baseURI);
  } catch {
    throw new Error("After #open= comes the address of a program.");
  }
  const file = place.pathname.split("/").pop();
  const isHere = place.origin === location.origin && /^https?:$/.test(place.protocol);
  if (!isHere) throw new Error("#open= opens programs of this site only. Load the file, and then Open… it.");
  if (!SOURCE.test(file)) throw new Error("#open= opens sources, whose names end in .xb or .bas.");
  const wish = { mode: "same-origin", credentials: "omit", redirect: "error" };
  const answer = await fetch(place, wish).catch(() => null);
  if (!answer?.ok) throw new Error(`${file} cannot be loaded from this site${answer ? ` (${answer.status})` : ""}.`);
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await gathered(answer.body, LARGEST));
    if (!text.includes("\0")) return { file, text };
  } catch (error) {
    if (error instanceof RangeError) throw new Error(`${file} is too long for a program.`);
  }
  throw new Error(`${file} is not a text.`);
}

/** Take the program that an address has or names, or an equal one that is kept; returns its name. */
export async function followed(programs, store, example, say) {
  try {
    const { file, text } = await (location.hash.startsWith("#open=") ? fetched : linked)(location.hash);
    const isIt = ({ files }) => Object.keys(files).length === 1 && files[file] === text;
    const kept = store.names.find((name) => isIt(store.projects[name]));
    if (kept) await programs.open(kept, example);
    return kept ?? programs.add(file.replace(/\..*$/, ""), file, text);
  } catch (error) {
    say(error.message, true);
    return "";
  }
}
