export { writeFileAtomically } from "./write-file-atomically.js";
