export { decodeYaml } from "./decode.js";
export { type ParsedYaml, parseYaml, parseYamlDocuments, parseYamlInSteps } from "./parse.js";
export { splitYamlDocuments, type YamlDocument, yamlDocuments } from "./documents.js";
export { lineOfField } from "./line-of-field.js";
export { stringifyYaml } from "./emit.js";
