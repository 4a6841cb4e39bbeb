// npm run programs: builds our Go programs, which tests use when they are there.
import { ensureOwnProgram, ownPrograms } from "./own-program.js";

for (const name of ownPrograms) console.log(ensureOwnProgram(name));
