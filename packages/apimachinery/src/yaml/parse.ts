import { runAtOnce, type Steps } from "@coxswain/runtime/steps";
import { DecodeError, decodeUtf8 } from "../json/index.js";
import { composeYaml } from "./compose.js";
import { firstYamlDocument, splitYamlDocuments } from "./documents.js";
import { parseDocument } from "./grammar/parse-document.js";

export interface ParsedYaml {
  /** Plain JSON data; null for an empty document. */
  readonly value: unknown;
  /** Upstream's error about keys that are there twice, if there are any. It matters in strict mode; else the last one counts. */
  readonly strictError: string | undefined;
}

/** Reads the first document as sigs.k8s.io/yaml does. Throws DecodeError. */
export const parseYaml = (input: Uint8Array | string): ParsedYaml => runAtOnce(parseYamlInSteps(input));

/** The same, for text of others that may be long. */
export function* parseYamlInSteps(input: Uint8Array | string): Steps<ParsedYaml> {
  const text = typeof input === "string" ? input : decodeUtf8(input);
  if (text === undefined) throw new DecodeError("yaml: invalid leading UTF-8 octet");
  return yield* readDocument(firstYamlDocument(text));
}

/** Every document of a stream, in order; empty ones are left out. Throws DecodeError. */
export function parseYamlDocuments(text: string): ParsedYaml[] {
  return splitYamlDocuments(text)
    .map((document) => runAtOnce(readDocument(document)))
    .filter(({ value }) => value !== null);
}

function* readDocument(text: string): Steps<ParsedYaml> {
  const node = yield* parseDocument(text.startsWith("\ufeff") ? text.slice(1) : text);
  const { value, duplicates } = yield* composeYaml(node);
  return {
    value,
    strictError: duplicates.length === 0 ? undefined : `yaml: unmarshal errors:\n  ${duplicates.join("\n  ")}`,
  };
}
