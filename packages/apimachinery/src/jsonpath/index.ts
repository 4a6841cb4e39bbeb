export { type JsonPath, parseJsonPath, relaxedJsonPath } from "./json-path.js";
export type { EvaluateOptions } from "./evaluate.js";
export { JsonPathError } from "./node.js";
