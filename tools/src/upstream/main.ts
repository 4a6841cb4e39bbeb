// node tools/dist/upstream/main.js [program …]: builds the named programs (all by default) and prints their paths.
import { ensureProgram } from "./build.js";
import type { ProgramName } from "./programs.js";
import { programNames } from "./programs.js";

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !programNames.includes(name as ProgramName));
if (unknown.length > 0) {
  console.error(`unknown program ${unknown.join(", ")}; there are ${programNames.join(", ")}`);
  process.exit(2);
}
for (const name of asked.length > 0 ? (asked as ProgramName[]) : programNames) console.log(await ensureProgram(name));
