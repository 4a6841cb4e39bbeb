import { encodeJson } from "@coxswain/apimachinery/json";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { jsonBody, type SentBody } from "./sent-body.js";

/** YAML goes by way of JSON. Keys that are there twice are one strict error more. Loaded with the first such body. */
export function yamlBody(bytes: Uint8Array): SentBody {
  const { value, strictError } = parseYaml(bytes);
  const body = jsonBody(encodeJson(value));
  return {
    ...body,
    decode(node, options) {
      const decoded = body.decode(node, options);
      return options.strict === true && strictError !== undefined ? { ...decoded, warnings: [strictError, ...decoded.warnings] } : decoded;
    },
  };
}
