import { decodeJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";

/** An object and its bytes; `bytes` is canonical JSON with kind, apiVersion and resourceVersion in it. */
export interface EncodedObject {
  readonly bytes: Uint8Array;
  /** Parsed on demand. */
  parse(): unknown;
}

const decoder = new TextDecoder();
const anything = createNode(typeCodes.json);
/** A number that JSON.parse may not read exactly: int64 has 19 digits, a double 15. */
const longNumber = /[:[,]-?\d{16}/;

/** Stored bytes are in canonical form already: parsing is all. Integers beyond a double's are bigint. */
export function parseStored(bytes: Uint8Array): KubernetesObject {
  const text = decoder.decode(bytes);
  return (longNumber.test(text) ? decodeJson(bytes, anything).object : JSON.parse(text)) as KubernetesObject;
}

export const encodedObject = (bytes: Uint8Array): EncodedObject => new StoredObject(bytes);

class StoredObject implements EncodedObject {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  parse(): KubernetesObject {
    return parseStored(this.bytes);
  }
}
