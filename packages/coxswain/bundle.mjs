// Makes the command's one file from the built packages. Native modules, the descriptions and the prepared objects stay outside of it.
import { copyFileSync, cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepareObjects } from "@coxswain/apiserver";
import { build } from "esbuild";
import { bundleConsole } from "../console/bundle.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const descriptions = join(here, "../api/dist/descriptions/extracted.js");

/** 700 KB of texts that only OpenAPI documents need: loaded from a file of its own when first asked for. */
const keepDescriptionsOutside = {
  name: "descriptions",
  setup({ onResolve }) {
    onResolve({ filter: /descriptions\/extracted\.js$/ }, () => ({ path: "./descriptions.cjs", external: true }));
  },
};

/** JSON of 300 and 450 KB that only the first start on a new store needs. */
const keepPreparedObjectsOutside = {
  name: "prepared objects",
  setup({ onResolve }) {
    onResolve({ filter: /prepared-objects\/none\.js$/ }, () => ({ path: "./prepared-objects.json", external: true }));
    onResolve({ filter: /prepared-objects\/no-gateway-objects\.js$/ }, () => ({
      path: "./gateway-objects.json",
      external: true,
    }));
  },
};

/** Of lmdb only the native part stays outside: finding and compiling its scripts takes as long as opening the store. */
const takeLmdbIn = {
  name: "lmdb",
  setup({ onResolve }) {
    const lmdb = createRequire(import.meta.url).resolve("lmdb");
    onResolve({ filter: /^lmdb$/ }, () => ({ path: lmdb }));
    onResolve({ filter: /^node-gyp-build-optional-packages$/ }, () => ({ path: join(here, "bundle/load-lmdb.cjs") }));
    onResolve({ filter: /^msgpackr$/ }, () => ({ path: join(here, "bundle/no-msgpackr.cjs") }));
  },
};

const bundle = join(here, "dist/bundle/coxswain.js");
const { metafile, outputFiles } = await build({
  absWorkingDir: join(here, "../.."), // what metafile.inputs are relative to
  entryPoints: [join(here, "dist/esm/bundle-entry.js")],
  outfile: bundle,
  write: false,
  metafile: true,
  bundle: true,
  platform: "node",
  target: "node20.19",
  format: "cjs",
  // The launcher gets one function from the file, and can keep its compiled code.
  banner: { js: "(function (require, module, __filename) {" },
  footer: { js: "})" },
  // Becomes require: the launcher runs the file as a script, where import() would need an experimental loader.
  supported: { "dynamic-import": false },
  plugins: [keepDescriptionsOutside, keepPreparedObjectsOutside, takeLmdbIn],
  minifySyntax: true,
  legalComments: "none",
  logLevel: "warning",
});
mkdirSync(dirname(bundle), { recursive: true });
// ASCII, so that it can be read as it lies there: esbuild leaves other signs in regular expressions as they are.
writeFileSync(
  bundle,
  outputFiles[0].text.replace(/[^\0-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`),
);
if (existsSync(descriptions)) {
  await build({
    entryPoints: [descriptions],
    outfile: join(here, "dist/bundle/descriptions.cjs"),
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "warning",
  });
}
// After the bundle, whose folder it is in: what is in the browser is no part of the command.
const consoleInputs = await bundleConsole(join(here, "dist/bundle/console"));
// The same files for `cluster.console()` of the test kit, which has no command.
cpSync(join(here, "dist/bundle/console"), join(here, "../console/dist/files"), { recursive: true });
for (const name of ["LICENSE", "NOTICE"]) copyFileSync(join(here, "../..", name), join(here, "dist/bundle", name));
writeFileSync(join(here, "dist/bundle/prepared-objects.json"), JSON.stringify(await prepareObjects()));
const { prepareGatewayObjects } = await import("./dist/esm/prepared-objects/prepare-gateway-objects.js");
writeFileSync(join(here, "dist/bundle/gateway-objects.json"), JSON.stringify(await prepareGatewayObjects()));
// What `npm start` looks at before it starts without a build (tools/build-stamp.cjs).
const sources = Object.keys({ ...metafile.inputs, ...consoleInputs })
  .filter((file) => !file.includes("node_modules/"))
  .map((file) => file.replace(/\/dist\/(?:esm\/)?/, "/src/").replace(/\.js$/, ".ts"));
writeFileSync(join(here, "dist/bundle-sources.json"), JSON.stringify(sources));
