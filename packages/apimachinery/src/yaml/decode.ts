import { type Decoded, type DecodeOptions, decodeJson, encodeJson } from "../json/index.js";
import type { SchemaNode } from "../schema/index.js";
import { parseYaml } from "./parse.js";

/**
 * Decodes YAML into the canonical form of a type: by way of JSON, as upstream does (k8s.io/apimachinery/pkg/runtime/serializer/json/json.go, Decode). Throws DecodeError.
 * In strict mode keys that are there twice are the first warning, all of them in one, in upstream's words.
 */
export function decodeYaml(bytes: Uint8Array | string, node: SchemaNode, options: DecodeOptions = {}): Decoded {
  const { value, strictError } = parseYaml(bytes);
  const decoded = decodeJson(encodeJson(value), node, options);
  if (options.strict !== true || strictError === undefined) return decoded;
  return { object: decoded.object, warnings: [strictError, ...decoded.warnings] };
}
