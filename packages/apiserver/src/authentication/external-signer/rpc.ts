import { method } from "@coxswain/wire/grpc";
import { type Decoded, message } from "@coxswain/wire/protobuf";

/** The external signer of service account tokens (k8s.io/externaljwt, version 1). */
const timestamp = message({ seconds: { number: 1, type: "int64" }, nanos: { number: 2, type: "int32" } });
const key = message({
  keyId: { number: 1, type: "string" },
  key: { number: 2, type: "bytes" },
  excludeFromOidcDiscovery: { number: 3, type: "bool" },
});
const keysResponse = message({
  keys: { number: 1, type: key, repeated: true },
  dataTimestamp: { number: 2, type: timestamp },
  refreshHintSeconds: { number: 3, type: "int64" },
});
export type FetchedKeys = Decoded<typeof keysResponse>;

const signResponse = message({ header: { number: 1, type: "string" }, signature: { number: 2, type: "string" } });

export const signerMethods = {
  sign: method("/v1.ExternalJWTSigner/Sign", message({ claims: { number: 1, type: "string" } }), signResponse),
  fetchKeys: method("/v1.ExternalJWTSigner/FetchKeys", message({}), keysResponse),
  metadata: method(
    "/v1.ExternalJWTSigner/Metadata",
    message({}),
    message({ maxTokenExpirationSeconds: { number: 1, type: "int64" } }),
  ),
} as const;
