// Keeps the studio in the browser, so that it works offline: one set of files a version.
// A file is fetched once; the page asks for the rest when it is ready.

const NAME = "ti99tools-@VERSION@";
const FILES = @FILES@;
const hrefOf = (file) => new URL(file, self.registration.scope).href;
const IMAGE = hrefOf("pyodide/memory.packed"); // nothing but further starts gets quicker by it
const PYTHON = hrefOf("pyodide/pyodide.asm.wasm"); // unpacked here: browsers keep its machine code then
const KNOWN = new Set(FILES.map(hrefOf));

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("ti99tools-") && name !== NAME;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

async function answer(request) {
  const url = new URL(request.url);
  url.hash = url.search = "";
  const cache = await caches.open(NAME);
  const kept = await cache.match(url.href);
  if (kept) return kept;
  const fetched = await fetch(request);
  if (fetched.ok) await cache.put(url.href, fetched.clone());
  return fetched;
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  url.hash = url.search = "";
  const known = KNOWN.has(url.href) || url.href === PYTHON;
  if (event.request.method === "GET" && known) event.respondWith(answer(event.request));
});

async function fetchMissing() {
  const cache = await caches.open(NAME);
  const sparing = self.navigator.connection?.saveData;
  for (const href of [...KNOWN].filter((each) => each !== IMAGE).concat(sparing ? [] : IMAGE)) {
    if (!(await cache.match(href))) await cache.add(href).catch(() => {});
  }
  if (!(await cache.match(PYTHON))) await unpack(cache).catch(() => {});
}

async function unpack(cache) {
  const { body } = await cache.match(`${PYTHON}.packed`);
  const headers = { "Content-Type": "application/wasm" };
  await cache.put(PYTHON, new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers }));
}

let keeping = null; // what is under way serves all that ask meanwhile: each file is fetched once

self.addEventListener("message", (event) => {
  if (event.data !== "keep") return;
  keeping ??= fetchMissing().finally(() => (keeping = null));
  event.waitUntil(keeping.then(() => event.source?.postMessage("kept")));
});
