export { runProgram } from "./run-program.js";
