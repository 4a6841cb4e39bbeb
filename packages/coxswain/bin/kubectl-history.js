#!/usr/bin/env node
"use strict";
// kubectl finds it in PATH as "kubectl history".
process.argv.splice(2, 0, "history", "--kubectl-plugin");
require("./coxswain.js");
