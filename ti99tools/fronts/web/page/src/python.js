// Python with our package and the bridge to it: started afresh, or woken from a snapshot.
//
// Most of a start is Python finding and running its modules. An image is a snapshot of Python's memory
// after that, made once with the page (prepare.mjs), and the files that it reads later: the length
// of an index in four bytes, the index, the memory, the files; all compressed by gzip.

export const ROOT = "/work";
const KEPT = "ti99tools/_kept"; // the cache of games built with the page
const STEP = 1 << 20; // bytes

// chmod: the cache is used only in a folder that nobody else can write.
const BEGIN = `
import os
import site
from pathlib import Path

kept = Path(site.getsitepackages()[0], "${KEPT}")
kept.chmod(0o700)
os.environ["TI99TOOLS_CACHE"] = str(kept)
from ti99tools.fronts.web.bridge import Bridge
bridge = Bridge(Path("${ROOT}"))


def call(name, arguments, blob=None):
    return bridge.call(name, arguments, None if blob is None else blob.to_bytes())
`;
// Random numbers must not be the same at every visit, and Python's lists of folders are outdated.
const WAKE = `
import importlib
import random

importlib.invalidate_caches()
random.seed()
kept.chmod(0o700)
`;

/** The folder where Python looks for packages. */
export const siteOf = (python) => python.runPython("import site; site.getsitepackages()[0]");

/** Write a file of the package with time 0: the cache is unused if code is newer than its loading. */
export function put(python, path, bytes) {
  python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  python.FS.writeFile(path, bytes);
  python.FS.utime(path, 0, 0);
}

/** Run the package; returns the function that calls the bridge. */
export function begin(python) {
  python.FS.mkdirTree(ROOT);
  python.runPython(BEGIN);
  return python.globals.get("call");
}

/** An image of the memory and of files: [path, bytes] each. */
export function imageOf(memory, files) {
  const index = { memory: memory.length, files: files.map(([path, bytes]) => [path, bytes.length]) };
  const text = JSON.stringify(index);
  // Memory is read as words of four bytes, so it must be aligned.
  const head = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 4) * 4));
  const image = new Uint8Array(4 + head.length + memory.length + files.reduce((sum, [, bytes]) => sum + bytes.length, 0));
  new DataView(image.buffer).setUint32(0, head.length, true);
  let at = 4;
  for (const part of [head, memory, ...files.map(([, bytes]) => bytes)]) {
    image.set(part, at);
    at += part.length;
  }
  return image;
}

/** Wake Python from an image; returns the function that calls the bridge. Throws for an image of another Python. */
export async function wake(loadPyodide, instance, image, options) {
  const long = new DataView(image.buffer).getUint32(0, true);
  const index = JSON.parse(new TextDecoder().decode(image.subarray(4, 4 + long)));
  const memory = image.subarray(4 + long, 4 + long + index.memory);
  const python = await loadPyodide({
    ...options,
    _loadSnapshot: memory,
    createPyodideModule: async (settings) => {
      const module = await instance(settings);
      // Memory grows only by allocation; the image overwrites whatever is allocated here.
      while (module.HEAP8.length < memory.length) module._malloc(STEP);
      return module;
    },
  });
  let at = 4 + long + index.memory;
  for (const [path, length] of index.files) {
    put(python, path, image.subarray(at, at + length));
    at += length;
  }
  python.FS.mkdirTree(ROOT);
  python.runPython(WAKE);
  return python.globals.get("call");
}
