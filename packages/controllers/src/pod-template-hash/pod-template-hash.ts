import { encodeUtf8 } from "@coxswain/apimachinery/text";
import { dumpTemplate } from "./dump-template.js";
import { fnv1a, safeEncode } from "./fnv.js";

/**
 * The value of the label `pod-template-hash`, equal to upstream's (pkg/controller/controller_utils.go, ComputeHash), so that either controller manager recognises what the other
 * one made. `collisionCount` distinguishes templates that have the same hash.
 */
export function podTemplateHash(template: object, collisionCount: number | undefined): string {
  const hash = fnv1a(encodeUtf8(dumpTemplate(template)));
  return safeEncode(collisionCount === undefined ? hash : fnv1a(littleEndian(collisionCount), hash));
}

/** In eight bytes, of which upstream fills four. */
const littleEndian = (value: number): number[] =>
  Array.from({ length: 8 }, (_, byte) => (byte < 4 ? (value >>> (8 * byte)) & 0xff : 0));
