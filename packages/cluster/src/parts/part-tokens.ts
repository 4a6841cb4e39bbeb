import { timingSafeEqual } from "node:crypto";
import type { RandomBytes } from "@coxswain/runtime/random";

/** A secret that is drawn anew at each start. */
export const drawToken = (random: RandomBytes): string => Buffer.from(random.bytes(32)).toString("base64url");

/** Compares in constant time; its length is no secret. */
export function tokenCheck(token: string): (presented: string) => boolean {
  const expected = Buffer.from(token);
  return (presented) => presented.length === token.length && isSame(Buffer.from(presented), expected);
}

/** Characters of more than one byte make a text longer than it looks. */
const isSame = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);
