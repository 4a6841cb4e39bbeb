export { makeDirectory } from "./make-directory.js";
export { writeFileAtomically } from "./write-file-atomically.js";
