#!/usr/bin/env node
"use strict";
// The launcher: runs the bundle with its compiled code from the user's cache, which halves the time to start.
const { createHash } = require("node:crypto");
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { availableParallelism, homedir } = require("node:os");
const { join } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");
const { Worker } = require("node:worker_threads");

/** When the code that is used at start has been compiled: the cache then holds it, and not only the outermost functions. */
const settledAfterMs = 2000;

/** Which code is used depends on the command, and whether V8 takes it on its flags; `others` were made of the same bundle, or of one that stood in its place. */
function cacheFile(bundle) {
  const { mtimeMs, size } = statSync(bundle);
  const hash = (...words) => createHash("sha256").update(words.join("\n")).digest("hex").slice(0, 20);
  const root =
    process.env.COXSWAIN_CACHE_DIR || join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "coxswain");
  // The programs of an envtest directory, and the parts of a cluster, are words of one command.
  const command = ["envtest", "part"].includes(process.argv[2]) ? process.argv.slice(2, 4).join(" ") : process.argv[2];
  const others = `${hash(bundle, command, ...process.execArgv)}-`;
  return {
    folder: join(root, "code"),
    others,
    name: `${others}${hash(mtimeMs, size, process.version, process.arch)}.bin`,
  };
}

function read(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** A cache that cannot be written costs time at the next start and nothing else. */
function write({ folder, others, name }, data) {
  try {
    mkdirSync(folder, { recursive: true });
    for (const old of readdirSync(folder)) if (old.startsWith(others)) rmSync(join(folder, old), { force: true });
    writeFileSync(join(folder, `${name}.${process.pid}`), data);
    renameSync(join(folder, `${name}.${process.pid}`), join(folder, name));
  } catch {
    // see above
  }
}

/** Once: when the start is over, or at the exit of a command that succeeded before that. */
function keepCode(script, file) {
  let isKept = false;
  const keep = () => {
    if (!isKept) write(file, script.createCachedData());
    isKept = true;
  };
  setTimeout(keep, settledAfterMs).unref();
  process.once("exit", (code) => code === 0 && keep());
}

/**
 * Lets another thread read the root certificates that Node brings: it reads them all when the first TLS context is made, even
 * of one that names its own authorities, and that is a tenth of a server's start. They belong to the process, whichever thread read
 * them. A context that is made before they are there waits for the rest.
 */
function readRootCertificatesMeanwhile() {
  const reader = new Worker('require("node:tls").createSecureContext()', {
    eval: true,
    env: {},
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 16 },
  });
  reader.on("error", () => {}); // then they are read when they are needed
  reader.unref();
}

// Many requests can be alive at a collection, and V8 would from then on allocate their kind as long-lived. Set first of all, since compiled code is valid only for the same flags.
setFlagsFromString("--no-allocation-site-pretenuring");
// Controllers keep caches and allocate little beside them: a young generation that stays at 1 MB instead of growing to 16 saves a third of their memory (156 MB to 105 with 1,000 pods) for some 8 % more of their time under load.
if (process.argv[2] === "controller-manager") setFlagsFromString("--semi-space-growth-factor=1");
const serves = ["apiserver", "up"].includes(process.argv[2]) || process.argv[3] === "kube-apiserver";
if (serves && availableParallelism() > 1) readRootCertificatesMeanwhile();
const bundle = join(__dirname, "..", "dist", "bundle", "coxswain.js");
const file = cacheFile(bundle);
const cachedData = read(join(file.folder, file.name));
// The bundle is ASCII and a function already: read like this, its text is never copied into V8's heap.
const script = new Script(readFileSync(bundle, "latin1"), { filename: bundle, cachedData });
if (!cachedData || script.cachedDataRejected) keepCode(script, file);
script.runInThisContext()(createRequire(bundle), { exports: {} }, bundle);
