import { internalError, serviceUnavailable } from "@coxswain/apimachinery/status";
import { hasStoreReason, StoreError } from "@coxswain/storage";
import { tooLarge } from "./stored-size.js";

/** A failing store is a fact for the client: no room or no store now (503), a write that is too large, or one whose outcome nobody knows (500). */
export const fromStore = <T>(work: Promise<T>): Promise<T> => work.catch(throwStatus);

function throwStatus(err: unknown): never {
  if (!(err instanceof StoreError) || hasStoreReason(err, "lease-gone")) throw err;
  if (hasStoreReason(err, "outcome-unknown")) throw internalError(err.message, { cause: err });
  if (hasStoreReason(err, "too-large")) throw tooLarge(err.message);
  throw serviceUnavailable(err.message);
}
