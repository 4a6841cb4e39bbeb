import { internalError, serviceUnavailable } from "@coxswain/apimachinery/status";
import { hasStoreReason, StoreError } from "@coxswain/storage";

/** A failing store is a fact for the client: no room or no store now (503), or a write whose outcome nobody knows (500). */
export const fromStore = <T>(work: Promise<T>): Promise<T> => work.catch(throwStatus);

function throwStatus(err: unknown): never {
  if (!(err instanceof StoreError) || hasStoreReason(err, "lease-gone")) throw err;
  if (hasStoreReason(err, "outcome-unknown")) throw internalError(err.message, { cause: err });
  throw serviceUnavailable(err.message);
}
