import { GrpcError } from "@coxswain/wire/grpc";
import { StoreError, type StoreErrorReason } from "../store-error.js";

/** What etcd says, by the words that it has kept over its versions. Codes alone do not tell these apart. */
const known: readonly { readonly says: string; readonly reason: StoreErrorReason }[] = [
  { says: "required revision has been compacted", reason: "expired" },
  { says: "required revision is a future revision", reason: "future" },
  { says: "requested lease not found", reason: "lease-gone" },
  { says: "database space exceeded", reason: "full" },
  { says: "request is too large", reason: "invalid" },
  { says: "trying to send message larger than max", reason: "invalid" },
  { says: "too many operations in txn request", reason: "invalid" },
  { says: "key is not provided", reason: "invalid" },
];

/** Refused before anything was done, for a reason that passes. */
const passing = ["too many requests", "raft proposal dropped"];

/** Whether the same call may be made again: it has done nothing, or it is a read and does nothing. */
export function mayRepeat(error: unknown, kind: "read" | "write"): boolean {
  if (!(error instanceof GrpcError)) return false;
  if (passing.some((says) => error.message.includes(says))) return true;
  if (error.code !== "UNAVAILABLE") return false;
  return error.neverSent || kind === "read";
}

export function storeErrorOf(error: unknown, kind: "read" | "write"): unknown {
  if (!(error instanceof GrpcError)) return error;
  const reason = known.find(({ says }) => error.message.includes(says))?.reason;
  if (reason !== undefined) return new StoreError(reason, error.message, { cause: error });
  const unclear =
    kind === "write" &&
    !error.neverSent &&
    (error.code === "UNAVAILABLE" ||
      error.code === "DEADLINE_EXCEEDED" ||
      error.code === "INTERNAL" ||
      error.code === "UNKNOWN");
  return unclear
    ? new StoreError("outcome-unknown", `etcd may have written or not: ${error.message}`, { cause: error })
    : new StoreError("unavailable", `etcd: ${error.message}`, { cause: error });
}
