import { type CipherGCMTypes, createCipheriv, createDecipheriv } from "node:crypto";
import type { RandomSource } from "@coxswain/runtime/random";
import { TransformError, type Transformer } from "./transformer.js";

const nonceBytes = 12;
const tagBytes = 16;
const blockBytes = 16;
const tooShort = (): TransformError => new TransformError("the stored data was shorter than the required size");

/**
 * AES-GCM with a random nonce before the value, bound to its key in the store. The cipher key has 16, 24 or 32 bytes.
 * Caveat: no cipher key should write more than 2^32 values.
 */
export const createAesGcm = (key: Uint8Array, random: RandomSource): Transformer => ({
  read: (kept, context) => ({ value: openGcm(key, kept, context), stale: false }),
  write: (value, context) => sealGcm(key, random.bytes(nonceBytes), value, context),
});

export function sealGcm(key: Uint8Array, nonce: Uint8Array, value: Uint8Array, context: Uint8Array): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-gcm` as CipherGCMTypes, key, nonce);
  cipher.setAAD(context);
  return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
}

export function openGcm(key: Uint8Array, kept: Uint8Array, context: Uint8Array): Buffer {
  if (kept.length < nonceBytes + tagBytes) throw tooShort();
  const decipher = createDecipheriv(`aes-${key.length * 8}-gcm` as CipherGCMTypes, key, kept.subarray(0, nonceBytes));
  decipher.setAAD(context);
  decipher.setAuthTag(kept.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(kept.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  } catch (error) {
    throw new TransformError("cipher: message authentication failed", { cause: error });
  }
}

/** AES-CBC with a random first block before the value. Not bound to anything, and a change of it may go unnoticed: for old data. */
export const createAesCbc = (key: Uint8Array, random: RandomSource): Transformer => ({
  read(kept) {
    if (kept.length < blockBytes) throw tooShort();
    if (kept.length % blockBytes !== 0) throw new TransformError("the stored data is not a multiple of the block size");
    const decipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, kept.subarray(0, blockBytes));
    try {
      return { value: Buffer.concat([decipher.update(kept.subarray(blockBytes)), decipher.final()]), stale: false };
    } catch (error) {
      throw new TransformError("invalid padding on input", { cause: error });
    }
  },
  write(value) {
    const first = random.bytes(blockBytes);
    const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, first);
    return Buffer.concat([first, cipher.update(value), cipher.final()]);
  },
});
