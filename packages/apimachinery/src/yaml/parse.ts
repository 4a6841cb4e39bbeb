import { DecodeError, decodeUtf8 } from "../json/index.js";
import { composeYaml } from "./compose.js";
import { firstYamlDocument, splitYamlDocuments } from "./documents.js";
import { parseNodeTree } from "./node-tree.js";

export interface ParsedYaml {
  /** Plain JSON data; null for an empty document. */
  readonly value: unknown;
  /** Upstream's error about keys that are there twice, if there are any. It matters in strict mode; else the last one counts. */
  readonly strictError: string | undefined;
}

/** Reads the first document as sigs.k8s.io/yaml does. Throws DecodeError. */
export function parseYaml(input: Uint8Array | string): ParsedYaml {
  const text = typeof input === "string" ? input : decodeUtf8(input);
  if (text === undefined) throw new DecodeError("yaml: invalid leading UTF-8 octet");
  return parseDocument(firstYamlDocument(text));
}

/** Every document of a stream, in order; empty ones are left out. Throws DecodeError. */
export function parseYamlDocuments(text: string): ParsedYaml[] {
  return splitYamlDocuments(text)
    .map(parseDocument)
    .filter(({ value }) => value !== null);
}

function parseDocument(text: string): ParsedYaml {
  const { value, duplicates } = composeYaml(parseNodeTree(text.startsWith("\ufeff") ? text.slice(1) : text));
  return {
    value,
    strictError: duplicates.length === 0 ? undefined : `yaml: unmarshal errors:\n  ${duplicates.join("\n  ")}`,
  };
}
