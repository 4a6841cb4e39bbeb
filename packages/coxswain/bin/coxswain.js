#!/usr/bin/env node
"use strict";
// The launcher: runs the bundle with its compiled code from the user's cache, which halves the time to start.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { homedir } = require("node:os");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");

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

const bundle = join(__dirname, "..", "dist", "bundle", "coxswain.js");
const file = cacheFile(bundle);
const cachedData = read(file);
// The bundle is ASCII and a function already: read like this, its text is never copied into V8's heap.
const script = new Script(readFileSync(bundle, "latin1"), { filename: bundle, cachedData });
if (!cachedData || script.cachedDataRejected) setTimeout(() => write(file, script.createCachedData()), settledAfterMs).unref();
script.runInThisContext()(createRequire(bundle), { exports: {} }, bundle);
