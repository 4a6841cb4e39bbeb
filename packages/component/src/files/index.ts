export { makeDirectory } from "./make-directory.js";
export { writeFileAtomically } from "./write-file-atomically.js";
export { type WatchedFiles, watchFiles } from "./watch-files.js";
