import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { EncodedObject } from "../server/answer.js";

const decoder = new TextDecoder();

/** Stored bytes are in canonical form already: parsing is all. */
export const parseStored = (bytes: Uint8Array): KubernetesObject => JSON.parse(decoder.decode(bytes)) as KubernetesObject;

export const encodedObject = (bytes: Uint8Array): EncodedObject => ({ bytes, parse: () => parseStored(bytes) });
