// Makes the bundles: node bundle.mjs SOURCES OUT ENTRY… (NODE_PATH: the folder node_modules)

import { createRequire } from "node:module";
import { join } from "node:path";

const [sources, out, ...entries] = process.argv.slice(2);
const { build } = createRequire(join(process.env.NODE_PATH, "any.js"))("esbuild");

await build({
  entryPoints: entries.map((name) => join(sources, `${name}.js`)),
  outdir: out,
  nodePaths: [process.env.NODE_PATH],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
});
