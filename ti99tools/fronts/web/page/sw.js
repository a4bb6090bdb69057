// Keeps the studio in the browser, so that it works offline: one set of files a version.
// A file is fetched once; the page asks for the rest when it is ready.

const NAME = "ti99tools-@VERSION@";
const FILES = @FILES@;
const IMAGE = "pyodide/memory.packed"; // nothing but further starts gets quicker by it
const KNOWN = new Set(FILES.map((file) => new URL(file, self.registration.scope).href));

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
  if (event.request.method === "GET" && KNOWN.has(url.href)) event.respondWith(answer(event.request));
});

async function fetchMissing() {
  const cache = await caches.open(NAME);
  const last = new URL(IMAGE, self.registration.scope).href;
  const sparing = self.navigator.connection?.saveData;
  for (const href of [...KNOWN].filter((each) => each !== last).concat(sparing ? [] : last)) {
    if (!(await cache.match(href))) await cache.add(href).catch(() => {});
  }
}

let keeping = null; // what is under way serves all that ask meanwhile: each file is fetched once

self.addEventListener("message", (event) => {
  if (event.data !== "keep") return;
  keeping ??= fetchMissing().finally(() => (keeping = null));
  event.waitUntil(keeping.then(() => event.source?.postMessage("kept")));
});
