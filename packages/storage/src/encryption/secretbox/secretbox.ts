import { timingSafeEqual } from "node:crypto";
import type { RandomSource } from "@coxswain/runtime/random";
import { type Transformer, TransformError } from "../transformer.js";
import { poly1305 } from "./poly1305.js";
import { hsalsa20, salsa20 } from "./salsa20.js";

const nonceBytes = 24;
const tagBytes = 16;

/** XSalsa20 and Poly1305, as NaCl's secretbox puts them together: tag, then the encrypted message. */
export function sealSecretbox(key: Uint8Array, nonce: Uint8Array, message: Uint8Array): Uint8Array {
  const stream = streamFor(key, nonce, message.length);
  const sealed = new Uint8Array(tagBytes + message.length);
  for (let index = 0; index < message.length; index += 1)
    sealed[tagBytes + index] = message[index]! ^ stream[32 + index]!;
  sealed.set(poly1305(stream.subarray(0, 32), sealed.subarray(tagBytes)));
  return sealed;
}

/** Undefined when it was not sealed with this key and nonce. */
export function openSecretbox(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
  if (sealed.length < tagBytes) return undefined;
  const hidden = sealed.subarray(tagBytes);
  const stream = streamFor(key, nonce, hidden.length);
  if (!timingSafeEqual(poly1305(stream.subarray(0, 32), hidden), sealed.subarray(0, tagBytes))) return undefined;
  return hidden.map((byte, index) => byte ^ stream[32 + index]!);
}

/** The first 32 bytes are the authenticator's key, the rest hides the message. */
const streamFor = (key: Uint8Array, nonce: Uint8Array, length: number): Uint8Array =>
  salsa20(hsalsa20(key, nonce.subarray(0, 16)), nonce.subarray(16, 24), 32 + length);

/** A random nonce before the value; not bound to its key in the store. */
export const createSecretbox = (key: Uint8Array, random: RandomSource): Transformer => ({
  read(kept) {
    if (kept.length < nonceBytes + tagBytes)
      throw new TransformError("the stored data was shorter than the required size");
    const value = openSecretbox(key, kept.subarray(0, nonceBytes), kept.subarray(nonceBytes));
    if (!value) throw new TransformError("the stored data was not sealed with this key, or was changed");
    return { value, stale: false };
  },
  write(value) {
    const nonce = random.bytes(nonceBytes);
    return Buffer.concat([nonce, sealSecretbox(key, nonce, value)]);
  },
});
