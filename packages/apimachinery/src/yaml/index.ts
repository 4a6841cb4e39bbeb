export { decodeYaml } from "./decode.js";
export { type ParsedYaml, parseYaml, parseYamlDocuments, parseYamlInSteps } from "./parse.js";
export { splitYamlDocuments } from "./documents.js";
export { stringifyYaml } from "./emit.js";
