// Prepares Python's library and the package for the page: node prepare.mjs PYODIDE ARCHIVE OUT
//
// The page's own Python compiles both, and builds the games that are shipped, once here instead of
// at each start there. Paths are those of the page: entries of the cache name them. OUT is a folder,
// which gets the archives under their own names, and an image of the memory of a Python that has
// begun with them.

import crypto from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { begin, imageOf, put, siteOf } from "./src/python.js";

const [pyodide, archive, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${pyodide}/`, env: { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" } });
const site = siteOf(python);
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: site });
python.FS.writeFile("/archive.zip", new Uint8Array(readFileSync(archive)));
python.FS.writeFile("/library.zip", new Uint8Array(readFileSync(`${pyodide}/python_stdlib.zip`)));
const play = `
import json


def asked(name, /, **arguments):
    return json.loads(bridge.call(name, json.dumps(arguments))[0])["result"]


for each in asked("hello")["examples"]:
    if each["name"] in SHOWN:
        asked("put", project=each["name"], files=asked("example", name=each["name"]))
        asked("run", project=each["name"], main=each["main"], debug=False, rows={})
`;
const work = `
import ast
import json
import os
from importlib._bootstrap_external import _code_to_hash_pyc
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

SITE = Path("${site}")
KEPT = SITE / "ti99tools" / "_kept"
GAMES = "ti99tools/_xbasic/"  # their rules are compared as texts


def compiled(text, name):
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            if ast.get_docstring(node, clean=False) is not None:
                node.body = node.body[1:] or [ast.copy_location(ast.Pass(), node.body[0])]
    code = compile(tree, name, "exec", dont_inherit=True)
    # In this form there is no time: the same sources must give the same bytes.
    return _code_to_hash_pyc(code, bytes(8), checked=False)


def zipped(files):
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED, compresslevel=9) as taken:
        for name, data in sorted(files.items()):
            info = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = ZIP_DEFLATED
            taken.writestr(info, data)
    return made.getvalue()


library = {}
with ZipFile("/library.zip") as given:
    for name in given.namelist():
        data = given.read(name)
        if name.endswith(".py"):
            data, name = compiled(data, name), f"{name}c"
        library[name] = data
# construct imports it, and calls it in a terminal only; it would bring thirty modules with it.
library["pdb.pyc"] = compiled("", "pdb.py")

with ZipFile("/archive.zip") as given:
    names = given.namelist()
codes = [name for name in names if name.endswith(".py") and not name.startswith(GAMES)]
for name in codes:
    path = SITE / name
    path.with_suffix(".pyc").write_bytes(compiled(path.read_bytes(), name))
    path.unlink()

os.environ["TI99TOOLS_CACHE"] = str(KEPT)
from ti99tools.fronts.web.bridge import Bridge

bridge = Bridge(Path("/work"))
SHOWN = {path.name for path in (SITE / GAMES).iterdir()}
${play}
kept = [path.relative_to(SITE).as_posix() for path in KEPT.iterdir()]
packed = sorted({*names} - {*codes} | {f"{code}c" for code in codes} | {*kept})
[zipped(library), zipped({name: (SITE / name).read_bytes() for name in packed}), packed]
`;
const HELLO = "hello"; // the smallest program: what it needs, all need
const read = `
import gc
import sys

del asked
gc.collect()
[name for module in sys.modules.values() if (name := getattr(module, "__file__", None))]
`;

/** A Python that has begun, as an image; files that it has read for good are not in it. */
async function image(names) {
  // The same sources must give the same bytes: neither time nor chance lies in the memory.
  let time = 1e12;
  Date.now = () => ++time;
  performance.now = () => ++time;
  crypto.randomFillSync = (bytes) => bytes.fill(0);
  const begun = await loadPyodide({
    indexURL: `${pyodide}/`, stdLibURL: `${out}/python_stdlib.zip`, env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
    _makeSnapshot: true,
  });
  const files = names.map((name) => [`${site}/${name}`, python.FS.readFile(`${site}/${name}`)]);
  for (const [path, bytes] of files) put(begun, path, bytes);
  begin(begun).destroy();
  // What a program calls for the first time then lies in the memory, too.
  begun.runPython(`SHOWN = {"${HELLO}"}\n${play}`);
  begin(begun).destroy();
  const gone = new Set(begun.runPython(read).toJs());
  return imageOf(begun.makeMemorySnapshot(), files.filter(([path]) => !gone.has(path)));
}

try {
  const [library, archived, names] = python.runPython(work).toJs();
  writeFileSync(`${out}/python_stdlib.zip`, library);
  writeFileSync(`${out}/ti99tools.zip`, archived);
  writeFileSync(`${out}/memory.packed`, gzipSync(await image(names), { level: 7 }));
} catch (error) {
  console.error(error.message); // Node would show Python's whole loader with it
  process.exit(1);
}
