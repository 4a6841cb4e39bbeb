#!/usr/bin/env node
"use strict";
// The launcher: runs the bundle with its compiled code from the user's cache, which halves the time to start.
const { createHash } = require("node:crypto");
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { availableParallelism, homedir } = require("node:os");
const { dirname, join } = require("node:path");
const { Script } = require("node:vm");
const { Worker } = require("node:worker_threads");

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

/**
 * Lets another thread read the root certificates that Node brings: it reads them all when the first TLS context is made, even
 * of one that names its own authorities, and that is a tenth of a server's start. They belong to the process, whoever read
 * them. A context that is made before they are there waits for the rest.
 */
function readRootCertificatesMeanwhile() {
  const reader = new Worker('require("node:tls").createSecureContext()', { eval: true, env: {}, execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 } });
  reader.on("error", () => {}); // then they are read when they are needed
  reader.unref();
}

if (process.argv[2] === "apiserver" && availableParallelism() > 1) readRootCertificatesMeanwhile();
const bundle = join(__dirname, "..", "dist", "bundle", "coxswain.js");
const file = cacheFile(bundle);
const cachedData = read(file);
// The bundle is ASCII and a function already: read like this, its text is never copied into V8's heap.
const script = new Script(readFileSync(bundle, "latin1"), { filename: bundle, cachedData });
if (!cachedData || script.cachedDataRejected) setTimeout(() => write(file, script.createCachedData()), settledAfterMs).unref();
script.runInThisContext()(createRequire(bundle), { exports: {} }, bundle);
