// Makes the command's one file from the built packages. Native modules and the descriptions stay outside of it.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const descriptions = join(here, "../api/dist/descriptions/extracted.js");

/** 700 KB of texts that only OpenAPI documents need: loaded from a file of its own when first asked for. */
const keepDescriptionsOutside = {
  name: "descriptions",
  setup({ onResolve }) {
    onResolve({ filter: /descriptions\/extracted\.js$/ }, () => ({ path: "./descriptions.cjs", external: true }));
  },
};

await build({
  entryPoints: [join(here, "dist/esm/bundle-entry.js")],
  outfile: join(here, "dist/bundle/coxswain.cjs"),
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  external: ["lmdb"],
  // Becomes require: the launcher runs the file as a script, where import() would need an experimental loader.
  supported: { "dynamic-import": false },
  plugins: [keepDescriptionsOutside],
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
});
if (existsSync(descriptions)) {
  await build({ entryPoints: [descriptions], outfile: join(here, "dist/bundle/descriptions.cjs"), bundle: true, platform: "node", format: "cjs", logLevel: "warning" });
}
