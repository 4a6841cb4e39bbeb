"use strict";
// Node 20 has no compile cache of its own: the bundle's compiled code is kept beside other caches of the user's.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { homedir } = require("node:os");
const { dirname, join } = require("node:path");
const vm = require("node:vm");

/** When the code that is used at start has been compiled: the cache then holds it, and not only the outermost functions. */
const settledAfterMs = 2000;

function cacheFile(bundle) {
  const { mtimeMs, size } = statSync(bundle);
  const name = createHash("sha256").update([bundle, mtimeMs, size, process.version, process.arch].join("\n")).digest("hex").slice(0, 32);
  const root = process.env.COXSWAIN_CACHE_DIR || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "coxswain");
  return join(root, "code", `${name}.bin`);
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written costs time at the next start and nothing else. */
function write(file, data) {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, data);
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // see above
  }
}

exports.load = (bundle) => {
  const file = cacheFile(bundle);
  const cachedData = read(file);
  const source = readFileSync(bundle, "latin1"); // the bundle is ASCII, and this is the quickest way to read that
  const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`;
  const script = new vm.Script(wrapped, { filename: bundle, cachedData });
  if (!cachedData || script.cachedDataRejected) setTimeout(() => write(file, script.createCachedData()), settledAfterMs).unref();
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module, bundle, dirname(bundle));
};
