export { type JsonPath, parseJsonPath, relaxedJsonPath, valueText } from "./json-path.js";
export type { EvaluateOptions, Visits } from "./evaluate.js";
export { JsonPathError } from "./node.js";
export { goText, goType } from "./go-value.js";
