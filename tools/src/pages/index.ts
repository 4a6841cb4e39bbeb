export { blockTable, type Decision } from "./block-table.js";
export { type CoxswainCall, coxswainCalls } from "./coxswain-flags.js";
export { type DecidedBlock, decide } from "./decide.js";
export { packageBlocks } from "./package-blocks.js";
export { type Block, commandsOf, readBlocks } from "./read-blocks.js";
