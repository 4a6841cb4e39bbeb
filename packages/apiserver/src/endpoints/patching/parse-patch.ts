import { type Decoded, decodeParsed, parseJsonInSteps } from "@coxswain/apimachinery/json";
import { createNode, typeCodes } from "@coxswain/apimachinery/schema";
import type { Steps } from "@coxswain/runtime/steps";

const anything = createNode(typeCodes.json);
/** Numbers that only the slow parser reads exactly. */
const longNumber = /\d{16}/;

/** A patch as it was written, members in their order; those that occur twice are reported as `duplicate field "…"`. Throws DecodeError. */
export function* parsePatch(bytes: Uint8Array): Steps<Decoded> {
  const decoded = yield* decodeParsed(yield* parseJsonInSteps(bytes), bytes, anything, { strict: true });
  const text = new TextDecoder().decode(bytes);
  return longNumber.test(text) ? decoded : { ...decoded, object: JSON.parse(text) as unknown };
}
