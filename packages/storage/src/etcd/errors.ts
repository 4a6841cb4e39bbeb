import { GrpcError } from "@coxswain/wire/grpc";
import { StoreError, type StoreErrorReason } from "../contract/store-error.js";

/** etcd's errors by parts of their messages that are stable over its versions. Codes alone do not distinguish these. */
const known: readonly { readonly text: string; readonly reason: StoreErrorReason }[] = [
  { text: "required revision has been compacted", reason: "expired" },
  { text: "required revision is a future revision", reason: "future" },
  { text: "requested lease not found", reason: "lease-gone" },
  { text: "database space exceeded", reason: "full" },
  { text: "request is too large", reason: "too-large" },
  { text: "trying to send message larger than max", reason: "too-large" },
  { text: "too many operations in txn request", reason: "invalid" },
  { text: "key is not provided", reason: "invalid" },
];

/** Refused before anything was done, for a reason that passes. */
const passing = ["too many requests", "raft proposal dropped"];

/** Whether the same call may be made again: it has done nothing, or it is a read and does nothing. */
export function mayRepeat(error: unknown, kind: "read" | "write"): boolean {
  if (!(error instanceof GrpcError)) return false;
  if (passing.some((text) => error.message.includes(text))) return true;
  if (error.code !== "UNAVAILABLE") return false;
  return error.neverSent || kind === "read";
}

export function storeErrorOf(error: unknown, kind: "read" | "write"): unknown {
  if (!(error instanceof GrpcError)) return error;
  const reason = known.find(({ text }) => error.message.includes(text))?.reason;
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
