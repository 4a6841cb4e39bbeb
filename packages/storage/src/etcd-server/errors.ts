import { type GrpcCode, GrpcError } from "@coxswain/wire/grpc";
import { isStoreError, type StoreErrorReason } from "../contract/store-error.js";

/** The codes and words of etcd (`api/v3rpc/rpctypes/error.go`), which clients look for; undefined: the store's own words. */
const known: Readonly<Record<StoreErrorReason, readonly [code: GrpcCode, message: string | undefined]>> = {
  expired: ["OUT_OF_RANGE", "etcdserver: mvcc: required revision has been compacted"],
  future: ["OUT_OF_RANGE", "etcdserver: mvcc: required revision is a future revision"],
  "lease-gone": ["NOT_FOUND", "etcdserver: requested lease not found"],
  full: ["RESOURCE_EXHAUSTED", "etcdserver: mvcc: database space exceeded"],
  "read-only": ["RESOURCE_EXHAUSTED", "etcdserver: mvcc: database space exceeded"],
  invalid: ["INVALID_ARGUMENT", undefined],
  "too-large": ["INVALID_ARGUMENT", "etcdserver: request is too large"],
  unreadable: ["DATA_LOSS", undefined],
  "outcome-unknown": ["UNAVAILABLE", "etcdserver: request timed out, possibly due to connection lost"],
  unavailable: ["UNAVAILABLE", undefined],
  closed: ["UNAVAILABLE", "etcdserver: server stopped"],
};

export function grpcErrorOf(error: unknown): unknown {
  if (!isStoreError(error)) return error;
  const [code, message] = known[error.reason];
  return new GrpcError(code, message ?? error.message, { cause: error });
}
