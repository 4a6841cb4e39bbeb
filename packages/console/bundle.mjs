// Makes the console's files from the built package: page, worker and terminal, each with chunks that are loaded when they are needed.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const source = (path) => join(here, "dist", path);

const common = {
  absWorkingDir: join(here, "../.."),
  bundle: true,
  write: true,
  metafile: true,
  minify: true,
  platform: "browser",
  target: ["chrome120", "firefox121", "safari17"],
  legalComments: "none",
  logLevel: "warning",
};

/** @param outdir where the files go; what is there already is deleted */
export async function bundleConsole(outdir) {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const modules = await build({
    ...common,
    entryPoints: { page: source("page/main.js"), worker: source("worker/main.js") },
    outdir,
    format: "esm",
    splitting: true,
    chunkNames: "chunk-[name]-[hash]",
  });
  const terminal = await build({
    ...common,
    entryPoints: { terminal: source("page/terminal/main.js") },
    outdir,
    format: "iife",
  });
  const styles = await build({
    ...common,
    entryPoints: { console: join(here, "src/style/index.css"), terminal: join(here, "src/style/terminal.css") },
    outdir,
  });
  for (const name of ["index.html", "terminal.html", "icon.svg"])
    copyFileSync(join(here, "src/style", name), join(outdir, name));
  const outputs = { ...modules.metafile.outputs, ...terminal.metafile.outputs, ...styles.metafile.outputs };
  // What the test of sizes reads: which chunks the first page needs.
  writeFileSync(join(outdir, "outputs.json"), JSON.stringify(outputs));
  return { ...modules.metafile.inputs, ...terminal.metafile.inputs };
}
