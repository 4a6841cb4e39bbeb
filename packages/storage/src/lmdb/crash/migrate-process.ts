import { systemRuntime } from "@coxswain/runtime";
import { openLmdbStore } from "../index.js";
import { olderFormats } from "./older-format.js";

/** Opens a directory of an older format and ends hard at the given moment of the migration. */
const [directory = "", moment = ""] = process.argv.slice(2);
await openLmdbStore({
  directory,
  runtime: systemRuntime(),
  seams: { formats: olderFormats((at) => at === moment && process.kill(process.pid, "SIGKILL")) },
});
console.log("open");
process.exit(0);
