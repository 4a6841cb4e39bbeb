#!/usr/bin/env node
"use strict";
// The launcher: loads the bundle with its compiled code from the user's cache, which halves the time to start.
const { join } = require("node:path");
const module_ = require("node:module");
const bundle = join(__dirname, "..", "dist", "bundle", "coxswain.cjs");

if (typeof module_.enableCompileCache === "function") {
  module_.enableCompileCache(); // Node 22.8 and later keep compiled code themselves
  require(bundle);
} else {
  require("./load-with-code-cache.js").load(bundle);
}
