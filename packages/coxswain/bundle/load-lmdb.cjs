"use strict";
// In the bundle, in place of the package by which lmdb looks for its native part: that one reads folders and asks for the C
// library in several ways, which costs more than loading what it finds. The command depends on the built native parts alone
// (`@lmdb/lmdb-<platform>-<architecture>`): no scripts run when it is installed, and nothing is compiled.
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** Of Linux: "glibc" or "musl". As lmdb's own search decides it first. */
function libc() {
  try {
    return readFileSync("/usr/bin/ldd", "utf8").includes("musl") ? "musl" : "glibc";
  } catch {
    return "glibc";
  }
}

/** The builds for one release of Node are faster than the one for all (Node-API), which is there for every release. */
function builds() {
  const tag = process.platform === "linux" ? `.${libc()}` : "";
  return [`node.abi${process.versions.modules}${tag}.node`, `node.napi${tag}.node`];
}

module.exports = function load() {
  const name = `@lmdb/lmdb-${process.platform}-${process.arch}`;
  let folder;
  try {
    folder = join(require.resolve(`${name}/package.json`), "..");
  } catch (cause) {
    const advice = "Install without --omit=optional, or choose --storage etcd or memory (\"up --in-memory\")";
    throw new Error(`the embedded store needs the package ${name}, which is not installed. ${advice}.`, { cause });
  }
  let failure;
  for (const build of builds()) {
    try {
      return require(join(folder, build));
    } catch (error) {
      failure = error; // not made for this release of Node: the other one is
    }
  }
  throw failure;
};
