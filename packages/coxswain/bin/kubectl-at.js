#!/usr/bin/env node
"use strict";
// kubectl finds it in PATH as "kubectl at".
process.argv.splice(2, 0, "at", "--kubectl-plugin");
require("./coxswain.js");
