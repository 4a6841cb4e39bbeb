import type { Runtime } from "@coxswain/runtime";
import type { RandomSource } from "@coxswain/runtime/random";
import { createGrpcClient } from "@coxswain/wire/grpc";
import type { Decoded } from "@coxswain/wire/protobuf";
import { type EncryptedObject, kms } from "./rpc.js";

/** The calls of a key management plugin. One that is not there yet is waited for until a call's time is over. */
export interface KmsPlugin {
  status(): Promise<Decoded<typeof kms.status.response>>;
  encrypt(plaintext: Uint8Array): Promise<Decoded<typeof kms.encrypt.response>>;
  decrypt(wrapped: EncryptedObject): Promise<Decoded<typeof kms.decrypt.response>>;
  close(): Promise<void>;
}

export function openKmsPlugin(endpoint: string, { clock, random }: Runtime, timeoutMs: number): KmsPlugin {
  const grpc = createGrpcClient({ endpoints: [endpoint], clock, random, baseBackoffMs: 100, maxBackoffMs: 2000 });
  const call = { timeoutMs, patient: true } as const;
  return {
    status: () => grpc.unary(kms.status, {}, call),
    encrypt: (plaintext) => grpc.unary(kms.encrypt, { plaintext, uid: uid(random) }, call),
    decrypt: ({ encryptedDekSource: ciphertext, keyId, annotations }) =>
      grpc.unary(kms.decrypt, { ciphertext, uid: uid(random), keyId, annotations }, call),
    close: () => grpc.close(),
  };
}

/** A random UUID, for the plugin's log. */
function uid(random: RandomSource): string {
  const hex = Buffer.from(random.bytes(16)).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
