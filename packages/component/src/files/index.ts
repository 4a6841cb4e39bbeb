export { makeDirectory } from "./make-directory.js";
export { type FileOwner, writeFileAtomically } from "./write-file-atomically.js";
export { type WatchedFiles, watchFiles } from "./watch-files.js";
