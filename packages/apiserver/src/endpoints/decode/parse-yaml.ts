import { decodeJson } from "@coxswain/apimachinery/json";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";

const anything = createNode(typeCodes.json);

export interface ParsedYaml {
  readonly value: unknown;
  /** What is said of a member that occurs twice. */
  readonly duplicate: string | undefined;
}

/** Throws DecodeError. */
export function parseYaml(bytes: Uint8Array): ParsedYaml {
  const { object, warnings } = decodeJson(bytes, anything, { strict: true });
  return { value: object, duplicate: warnings[0] };
}
