import { createHmac } from "node:crypto";
import type { RandomSource } from "@coxswain/runtime/random";
import { openGcm, sealGcm } from "./aes.js";
import { TransformError, type Transformer } from "./transformer.js";

const infoBytes = 32;

/**
 * AES-256-GCM where every value has a cipher key of its own, derived from a seed of 32 bytes and the 32 random ones before
 * the value (HKDF-SHA256, expansion only). So a seed never wears out.
 */
export function createDerivedKeyGcm(seed: Uint8Array, random: RandomSource): Transformer {
  if (seed.length < 32) throw new TransformError(`invalid seed length ${seed.length} used for key generation`);
  // The first block of HKDF's expansion is all that is needed.
  const keyFor = (info: Uint8Array): Buffer => createHmac("sha256", seed).update(info).update(Buffer.of(1)).digest();
  return {
    read(kept, context) {
      if (kept.length < infoBytes) throw new TransformError("the stored data was shorter than the required size");
      return { value: openGcm(keyFor(kept.subarray(0, infoBytes)), kept.subarray(infoBytes), context), stale: false };
    },
    write(value, context) {
      const info = random.bytes(infoBytes);
      return Buffer.concat([info, sealGcm(keyFor(info), random.bytes(12), value, context)]);
    },
  };
}
