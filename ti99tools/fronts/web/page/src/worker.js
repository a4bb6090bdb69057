// A worker: Python with our package, the bridge to it, and the pump that lets a console run.
//
// The page sends {id, name, args, blob}; the answer is {id, result, blob} or {id, error}.
// Without being asked the worker sends {event: "frame" | "progress" | "broken", …}.

import { Pump } from "./pump.js";
import { begin as started, siteOf, wake } from "./python.js";

const PYTHON = "pyodide.asm.wasm";
const IMAGE = "pyodide/memory.packed";
const PACKED = "packed"; // the name of a worker that is handed all files first

/** Send something to the page; buffers go with it, they are not copied. */
function send(message, buffer) {
  self.postMessage(message, buffer ? [buffer] : []);
}

/** The files that a page in one file hands over; then what is fetched comes from them. */
async function handed() {
  const { parts } = await new Promise((resolve) => {
    self.addEventListener("message", ({ data }) => resolve(data), { once: true });
  });
  const types = { wasm: "application/wasm", mjs: "text/javascript" };
  const typeOf = (name) => types[name.split(".").pop()] ?? "application/octet-stream";
  const fetchAnything = self.fetch.bind(self);
  self.fetch = async (what, ...more) => {
    const wish = String(what?.url ?? what);
    const found = [...parts.keys()].find((name) => wish.endsWith(name.split("/").pop()));
    if (!found) return fetchAnything(what, ...more);
    return new Response(parts.get(found), { headers: { "Content-Type": typeOf(found) } });
  };
  // In WebKit a worker of a data: address can read no blob, not even its own: scripts are data, too.
  // Python's own loader is imported from this address with the loader's name after it: an address
  // of data goes on being the same with anything after a #.
  const script = (name) => `data:${typeOf(name)},${encodeURIComponent(new TextDecoder().decode(parts.get(name)))}`;
  return (name) => {
    if (name === "pyodide/") return `${script("pyodide/pyodide.asm.mjs")}#`;
    return name.endsWith(".mjs") ? script(name) : name;
  };
}

/** The bytes of an answer that were compressed by gzip. */
const gunzipped = (answer) => answer.body.pipeThrough(new DecompressionStream("gzip"));

/** What the browser keeps of this version, if anything: nothing where a page may not even ask. */
async function kept(href) {
  try {
    return (await caches.has(self.name)) ? await (await caches.open(self.name)).match(href) : undefined;
  } catch {
    return undefined; // a page that is one file, or a browser that keeps nothing for this site
  }
}

/**
 * Python itself lies packed, since many servers hand out files as they are. Once the service worker has
 * unpacked it, it comes from there: what has no address is compiled anew at each start.
 */
function unpacking(at) {
  const fetchAnything = self.fetch.bind(self);
  self.fetch = async (what, ...more) => {
    if (!String(what?.url ?? what).endsWith(PYTHON)) return fetchAnything(what, ...more);
    if (await kept(what?.url ?? what)) {
      const plain = await fetchAnything(what, ...more);
      if (plain.ok) return plain; // without the service worker the server is asked, which has no such file
    }
    const answer = await fetchAnything(at(`pyodide/${PYTHON}.packed`));
    if (!answer.ok) return answer;
    return new Response(gunzipped(answer), { headers: { "Content-Type": "application/wasm" } });
  };
}

/** The image of Python's memory, if the browser keeps it: nobody waits for it to be loaded. */
async function image(at) {
  const found = await kept(at(IMAGE));
  return found && new Uint8Array(await new Response(gunzipped(found)).arrayBuffer());
}

/** Load Python and the package, and make the bridge. */
async function begin() {
  const beside = (name) => new URL(name, self.location.href).href;
  const at = self.name === PACKED ? await handed() : beside;
  unpacking(at);
  send({ event: "progress", text: "Loading Python" });
  const { loadPyodide } = await import(at("pyodide/pyodide.mjs"));
  const options = { indexURL: at("pyodide/") };
  try {
    const found = await image(at);
    if (found) {
      const { default: instance } = await import(at("pyodide/pyodide.asm.mjs"));
      const bridge = await wake(loadPyodide, instance, found, options);
      send({ event: "woken" });
      return bridge;
    }
  } catch (error) {
    console.warn(`Python is begun afresh: ${error}`);
  }
  const archive = fetch(at("ti99tools.zip")).then((answer) => {
    if (!answer.ok) throw new Error(`ti99tools.zip: ${answer.status}`);
    return answer.arrayBuffer();
  });
  const python = await loadPyodide(options);
  send({ event: "progress", text: "Loading the studio" });
  python.unpackArchive(await archive, "zip", { extractDir: siteOf(python) });
  return started(python);
}

const ready = begin();
ready.catch((error) => send({ event: "broken", text: String(error) }));

/** Call the bridge: the answer's result and bytes. Throws what Python reports. */
function call(bridge, name, args, blob) {
  const pair = bridge(name, JSON.stringify(args ?? {}), blob ?? undefined);
  try {
    const [text, bytes] = pair.toJs();
    return { ...JSON.parse(text), blob: bytes };
  } finally {
    pair.destroy();
  }
}

const pump = new Pump(
  async (name, args) => call(await ready, name, args),
  (frame, dots) => send({ event: "frame", ...frame, dots }, dots?.buffer),
  (error) => send({ event: "broken", text: String(error) }),
);

self.onmessage = async ({ data: { id, name, args, blob } }) => {
  if (!id) return; // the files of a page in one file
  try {
    const bridge = await ready;
    if (name === "pump") {
      pump.set(args);
      send({ id, result: null });
      return;
    }
    const answer = call(bridge, name, args, blob && new Uint8Array(blob));
    if (["run", "boot", "return_take"].includes(name)) pump.fresh();
    send({ id, ...answer }, answer.blob?.buffer);
  } catch (error) {
    send({ id, error: { text: String(error), broken: true } });
  }
};
