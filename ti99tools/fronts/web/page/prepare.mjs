// Prepares Python's library and the package for the page: node prepare.mjs PYODIDE ARCHIVE OUT
//
// The page's own Python compiles both, and builds the games that are shipped, once here instead of
// at each start there. Paths are those of the page: entries of the cache name them. OUT is a folder,
// which gets the archives under their own names.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, archive, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${pyodide}/`, env: { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" } });
const site = python.runPython("import site; site.getsitepackages()[0]");
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: site });
python.FS.writeFile("/archive.zip", new Uint8Array(readFileSync(archive)));
python.FS.writeFile("/library.zip", new Uint8Array(readFileSync(`${pyodide}/python_stdlib.zip`)));
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


def call(name, /, **arguments):
    return json.loads(bridge.call(name, json.dumps(arguments))[0])["result"]


for each in call("hello")["examples"]:
    name, main = each["name"], each["main"]
    call("put", project=name, files=call("example", name=name))
    call("run", project=name, main=main, debug=False, rows={})

kept = [path.relative_to(SITE).as_posix() for path in KEPT.iterdir()]
packed = sorted({*names} - {*codes} | {f"{code}c" for code in codes} | {*kept})
[zipped(library), zipped({name: (SITE / name).read_bytes() for name in packed})]
`;
try {
  const [library, archived] = python.runPython(work).toJs();
  writeFileSync(`${out}/python_stdlib.zip`, library);
  writeFileSync(`${out}/ti99tools.zip`, archived);
} catch (error) {
  console.error(error.message); // Node would show Python's whole loader with it
  process.exit(1);
}
