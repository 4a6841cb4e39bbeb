export { cachedOwnProgram, ensureOwnProgram, type OwnProgram, ownPrograms } from "./own-program.js";
