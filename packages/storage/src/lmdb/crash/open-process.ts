import { systemRuntime } from "@coxswain/runtime";
import { openLmdbStore } from "../index.js";

/** Opens a directory, reports that, and keeps it open until it is ended. */
const [directory = ""] = process.argv.slice(2);
await openLmdbStore({ directory, runtime: systemRuntime() });
console.log("open");
setInterval(() => undefined, 1000);
