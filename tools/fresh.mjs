// What `npm test` and `npm run build` do, and `npm start` on a fresh clone: install what is missing, build, then go on.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stampBuild } from "./build-stamp.cjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, "node_modules", ".bin", name);

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Coxswain needs Node 20.19 or later; this is ${process.version}.`);
  process.exit(1);
}

function run(command, args) {
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit" });
  if (done.error) throw done.error;
  if (done.status !== 0) process.exit(done.status ?? 1);
}

function install() {
  const lock = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  const stamp = join(root, "node_modules", ".coxswain-installed");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.log("Installing dependencies (once, about a minute) ...");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, lock);
}

function build() {
  const begunAt = Date.now();
  console.log("Building the packages ...");
  run(bin("tsc"), ["-b"]);
  run(process.execPath, [join(root, "packages/api/extract-descriptions.mjs"), "--quiet"]);
  run(process.execPath, [join(root, "packages/coxswain/bundle.mjs")]);
  stampBuild(root, begunAt);
  console.log(`Built in ${((Date.now() - begunAt) / 1000).toFixed(0)} s.`);
}

const [task, ...rest] = process.argv.slice(2);
install();
build();
if (task === "test") {
  run(bin("biome"), ["check", "."]);
  run(bin("oxlint"), ["--deny-warnings", "packages", "tools/src"]);
  run(process.execPath, [join(root, "tools/dist/checks/main.js")]);
  run(bin("vitest"), ["run", ...rest]);
}
