export { type ParsedExpr, type ParseResult, type ParserOptions, parse } from "./parser.js";
export { type ParserLimits } from "./limits.js";
export { type ComprehensionParts, type Macro, type MacroBuilder, MacroError } from "./macro.js";
export { standardMacros } from "./standard-macros.js";
