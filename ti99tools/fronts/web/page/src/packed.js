// The page as one file: what it is made of lies inside it, and one program that it plays.
//
// Each part is a script element that no browser runs: its file's name, and the file compressed by
// gzip, in base 64. A page that a server hands out has none of them.

import { $$, make } from "./dom.js";

const PARTS = [
  "worker.js", "voices.js", "ti99tools.zip", "pyodide/pyodide.mjs", "pyodide/pyodide.asm.mjs",
  "pyodide/pyodide.asm.wasm.packed", "pyodide/python_stdlib.zip", "pyodide/pyodide-lock.json",
];
const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval' blob: data:; worker-src data:; " +
  "style-src 'unsafe-inline'; img-src data: blob:; connect-src blob: data:; base-uri 'none'; form-action 'none'";

const parts = new Map(); // name → bytes
let program = null;

/** Whether this page is one file. */
export const isPacked = () => $$("script[data-part]").length > 0 || parts.size > 0;

/** The program that is in this page: {name, title, main, files}; null in a page of a server. */
export const packedProgram = () => program;

/** Take the parts out of this page; nothing is done in one that a server hands out. */
export async function unpack() {
  for (const element of $$("script[data-part]")) {
    parts.set(element.dataset.part, await gunzipped(element.textContent));
    element.remove();
  }
  if (parts.size) program = JSON.parse(new TextDecoder().decode(parts.get("program.json")));
}

/** The address of a script. Without a server a worker can only be loaded from a data: URL. */
export function addressOf(name) {
  if (!parts.size) return new URL(name, document.baseURI);
  return `data:text/javascript,${encodeURIComponent(new TextDecoder().decode(parts.get(name)))}`;
}

/** What a worker cannot fetch, by name; null: it can. */
export const partsForWorker = () => (parts.size ? new Map(parts) : null);

async function gunzipped(letters) {
  const packed = await (await fetch(`data:application/gzip;base64,${letters.trim()}`)).blob();
  return new Uint8Array(await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

/** Bytes compressed and in base 64. */
async function gzipped(bytes) {
  const blob = await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.split(",")[1]);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}

async function fetched(name) {
  const answer = await fetch(new URL(name, document.baseURI));
  if (!answer.ok) throw new Error(`${name} cannot be fetched: ${answer.status}`);
  return answer;
}

/**
 * One file that plays a program, in any browser and without a server.
 *
 * @param game {name, title, main, files}
 * @param tick is told how much of it is done, from 0 to 1
 */
export async function pack(game, tick) {
  const text = async (name) => (await fetched(name)).text();
  const [page, script, ...styles] = await Promise.all(["index.html", "main.js", "studio.css", "shop.css"].map(text));
  const made = new DOMParser().parseFromString(page, "text/html");
  const head = made.head;
  for (const old of made.querySelectorAll("link, script[src], #shop picture, .top img")) old.remove();
  head.querySelector("meta[http-equiv]").content = POLICY;
  made.title = game.title;
  made.body.dataset.packed = "";
  head.append(make("style", {}, styles.join("\n")));
  const files = new Map([["program.json", new TextEncoder().encode(JSON.stringify(game))]]);
  for (const [at, name] of PARTS.entries()) {
    files.set(name, new Uint8Array(await (await fetched(name)).arrayBuffer()));
    tick((at + 1) / (2 * PARTS.length));
  }
  let done = 0;
  for (const [name, bytes] of files) {
    made.body.append(make("script", { type: "application/gzip", "data-part": name }, await gzipped(bytes)));
    tick(0.5 + ++done / (2 * files.size));
  }
  made.body.append(make("script", { type: "module" }, script.replaceAll("</script", "<\\/script")));
  return new Blob([`<!doctype html>\n${made.documentElement.outerHTML}\n`], { type: "text/html" });
}
