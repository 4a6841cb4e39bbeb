import { method } from "@coxswain/wire/grpc";
import { type Decoded, message } from "@coxswain/wire/protobuf";

/** The key management service of Kubernetes, version 2, as plugins serve it. */
const status = message({
  version: { number: 1, type: "string" },
  healthz: { number: 2, type: "string" },
  keyId: { number: 3, type: "string" },
});
const decryptRequest = message({
  ciphertext: { number: 1, type: "bytes" },
  uid: { number: 2, type: "string" },
  keyId: { number: 3, type: "string" },
  annotations: { number: 4, type: { map: "bytes" } },
});
const encryptRequest = message({ plaintext: { number: 1, type: "bytes" }, uid: { number: 2, type: "string" } });
const encryptResponse = message({
  ciphertext: { number: 1, type: "bytes" },
  keyId: { number: 2, type: "string" },
  annotations: { number: 3, type: { map: "bytes" } },
});

export const kms = {
  status: method("/v2.KeyManagementService/Status", message({}), status),
  decrypt: method(
    "/v2.KeyManagementService/Decrypt",
    decryptRequest,
    message({ plaintext: { number: 1, type: "bytes" } }),
  ),
  encrypt: method("/v2.KeyManagementService/Encrypt", encryptRequest, encryptResponse),
} as const;

/** What is kept of a value: the value, encrypted, and beside it, wrapped by the service, what its key was made from. */
export const encryptedObject = message({
  encryptedData: { number: 1, type: "bytes" },
  keyId: { number: 2, type: "string" },
  encryptedDekSource: { number: 3, type: "bytes" },
  annotations: { number: 4, type: { map: "bytes" } },
  sourceType: { number: 5, type: "enum" },
});
export type EncryptedObject = Decoded<typeof encryptedObject>;

/** Numbers of `sourceType`: the source is the key itself, or a seed from which every value's key is derived. */
export const dekSource = { key: 0, seed: 1 } as const;
