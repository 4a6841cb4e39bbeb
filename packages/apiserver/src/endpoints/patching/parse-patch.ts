import { type Decoded, decodeJson } from "@coxswain/apimachinery/json";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";

const anything = createNode(typeCodes.json);

/** A patch as it was written; members that occur twice are told as `duplicate field "…"`. Throws DecodeError. */
export const parsePatch = (bytes: Uint8Array): Decoded => decodeJson(bytes, anything, { strict: true });
