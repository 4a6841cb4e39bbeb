import type { DeleteWrite, LeaseId, PutWrite, Write } from "../contract/key-value-store.js";
import type { StoreError } from "../contract/store-error.js";
import type { IndexEntry } from "./journal.js";

/** What is asked of the store, one after the other in the order they came; urgent writes go ahead. */
export type Request =
  | { readonly do: "put"; readonly write: PutWrite }
  | { readonly do: "delete"; readonly write: DeleteWrite }
  | { readonly do: "transaction"; readonly writes: readonly Write[] }
  | { readonly do: "grant"; readonly ttlMs: number }
  /** `expired` takes effect only if the lease is still expired when the request is planned. */
  | { readonly do: "end lease"; readonly lease: LeaseId; readonly why: "revoked" | "expired" }
  | { readonly do: "compact"; readonly revision: number };

/** What has become of a request, once its batch is durable. */
export type Outcome<E extends IndexEntry> =
  | { readonly kind: "done"; readonly revision: number; readonly previous: E | undefined; readonly lease?: LeaseId }
  /** `unsettled`: it lost to a write of the same batch, so the answer stands only if that batch does. */
  | {
      readonly kind: "conflict";
      readonly index: number;
      readonly key: string;
      readonly entry: E | undefined;
      readonly unsettled: boolean;
    }
  | { readonly kind: "refused"; readonly error: StoreError };

export const isUrgent = (request: Request): boolean => request.do === "put" && request.write.urgent === true;

/** Whether a request only makes room, so that it is worth another try on a full disk. */
export function makesRoom(request: Request): boolean {
  switch (request.do) {
    case "transaction":
      return request.writes.every((write) => write.op !== "put");
    case "put":
    case "grant":
      return false;
    case "delete":
    case "end lease":
    case "compact":
      return true;
  }
}
