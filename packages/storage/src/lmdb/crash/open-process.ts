import { systemClock } from "@coxswain/runtime/clock";
import { openLmdbStore } from "../index.js";

/** Opens a directory, reports that, and keeps it open until it is ended. */
const [directory = ""] = process.argv.slice(2);
await openLmdbStore({ directory, clock: systemClock });
console.log("open");
setInterval(() => undefined, 1000);
