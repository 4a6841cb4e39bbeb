export { defineFlags, type Flag, type FlagTable, optionName, type OptionsOf } from "./flag.js";
export { FlagError } from "./flag-error.js";
export { formatHelp, type HelpOptions } from "./format-help.js";
export { type ParsedFlags, parseFlags, parseOnlyFlags } from "./parse-flags.js";

export { nearest } from "./nearest.js";
