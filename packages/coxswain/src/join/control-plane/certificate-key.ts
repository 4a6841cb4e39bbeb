import { createCipheriv, createDecipheriv } from "node:crypto";
import { FlagError } from "@coxswain/component/flags";
import type { RandomSource } from "@coxswain/runtime/random";

type RandomBytes = Pick<RandomSource, "bytes">;

/** AES-256-GCM with a nonce in front and the tag behind, as kubeadm's (cmd/kubeadm/app/util/crypto). */
const [keyBytes, nonceBytes, tagBytes] = [32, 12, 16];

/** What `--certificate-key` takes: 64 digits. Who has it and a token has all keys of the cluster. */
export const drawCertificateKey = (random: RandomBytes): string => Buffer.from(random.bytes(keyBytes)).toString("hex");

/** @throws FlagError */
export function parseCertificateKey(text: string): Buffer {
  if (!/^[0-9a-fA-F]{64}$/.test(text))
    throw new FlagError("--certificate-key must be the 64 hexadecimal digits that coxswain token create printed");
  return Buffer.from(text, "hex");
}

export function encrypt(plain: Uint8Array, key: Buffer, random: RandomBytes): Buffer {
  const nonce = random.bytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** @throws FlagError where the key is another one, or the text was changed */
export function decrypt(encrypted: Buffer, key: Buffer): Buffer {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, nonceBytes));
    const end = encrypted.length - tagBytes;
    decipher.setAuthTag(encrypted.subarray(end));
    return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes, end)), decipher.final()]);
  } catch {
    throw new FlagError("--certificate-key is not the one that the keys of this cluster were encrypted with");
  }
}
