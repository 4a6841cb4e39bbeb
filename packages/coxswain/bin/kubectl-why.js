#!/usr/bin/env node
"use strict";
// kubectl finds it in PATH as "kubectl why".
process.argv.splice(2, 0, "why", "--kubectl-plugin");
require("./coxswain.js");
