import type { RandomBytes } from "@coxswain/runtime/random";
import { xsalsa20poly1305 } from "@noble/ciphers/salsa.js";
import { TransformError, type Transformer } from "../transformer.js";

const nonceBytes = 24;
const tagBytes = 16;

/** NaCl's secretbox with a random nonce before the value; not bound to its key in the store. Loaded where this provider is configured. */
export const createSecretbox = (key: Uint8Array, random: RandomBytes): Transformer => ({
  read(kept) {
    if (kept.length < nonceBytes + tagBytes)
      throw new TransformError("the stored data was shorter than the required size");
    return { value: open(key, kept.subarray(0, nonceBytes), kept.subarray(nonceBytes)), stale: false };
  },
  write(value) {
    const nonce = random.bytes(nonceBytes);
    return Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(value)]);
  },
});

function open(key: Uint8Array, nonce: Uint8Array, sealed: Uint8Array): Uint8Array {
  try {
    return xsalsa20poly1305(key, nonce).decrypt(sealed);
  } catch (cause) {
    throw new TransformError("the stored data was not sealed with this key, or was changed", { cause });
  }
}
