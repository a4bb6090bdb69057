// A small program in the fragment of a link. Browsers do not send fragments, so nothing leaves them.

const LONGEST = 8000; // most characters of a link that programs and messengers pass on whole
const MOST_LETTERS = 40000; // most characters of a link that is accepted
const MOST_BYTES = 200000; // most bytes of the program in it

/** Bytes passed through a stream. Throws RangeError if the result is longer than `most` bytes. */
async function through(stream, data, most) {
  const reader = new Blob([data]).stream().pipeThrough(stream).getReader();
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
  return { file: /^[\w-]{1,40}\.(xb|bas)$/.test(file) ? file : "shared.xb", text: whole.slice(end + 1) };
}
