export { createCelRuleCompiler } from "./cel-rule-compiler.js";
