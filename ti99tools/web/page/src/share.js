// A small program in the fragment of a link: nothing is sent anywhere, browsers keep fragments.

const LONGEST = 8000; // characters of a link that programs and messengers pass on whole

async function through(stream, data) {
  const piped = new Blob([data]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** The link to a program; null when it is too long for one. */
export async function linkTo(file, text) {
  const data = new TextEncoder().encode(`${file}\n${text}`);
  const packed = await through(new CompressionStream("deflate-raw"), data);
  const letters = btoa(String.fromCharCode(...packed));
  const safe = letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const link = new URL(document.baseURI);
  link.hash = `xb=${safe}`;
  return link.href.length > LONGEST ? null : link.href;
}

/** The program in a fragment: {file, text}; null when there is none. */
export async function linked(hash) {
  const safe = /^#xb=([\w-]+)$/.exec(hash)?.[1];
  if (!safe) return null;
  try {
    const letters = atob(safe.replace(/-/g, "+").replace(/_/g, "/"));
    const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const data = await through(new DecompressionStream("deflate-raw"), packed);
    const whole = new TextDecoder().decode(data);
    const end = whole.indexOf("\n");
    return { file: whole.slice(0, end), text: whole.slice(end + 1) };
  } catch {
    return null;
  }
}
