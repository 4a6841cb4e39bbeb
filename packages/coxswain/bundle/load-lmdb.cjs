"use strict";
// In the bundle, in place of the package by which lmdb looks for its native part: that one reads folders and asks for the C
// library in several ways, which costs more than loading what it finds.
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { dirname } = require("node:path");

/** As the package itself tells it first; anything else is left to it. */
function hasGlibc() {
  try {
    return process.platform === "linux" && readFileSync("/usr/bin/ldd", "utf8").includes("GNU C Library");
  } catch {
    return false;
  }
}

module.exports = function load() {
  const lmdb = "lmdb"; // a name that the bundler does not follow
  const entry = require.resolve(lmdb);
  const require_ = createRequire(entry);
  if (hasGlibc()) {
    try {
      return require_(`@lmdb/lmdb-linux-${process.arch}/node.abi${process.versions.modules}.glibc.node`);
    } catch {
      // Not made for this release of Node, or compiled when it was installed.
    }
  }
  return require_("node-gyp-build-optional-packages")(dirname(dirname(entry)));
};
