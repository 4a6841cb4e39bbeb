import { hasReason } from "@coxswain/apimachinery/status";

/** For `catch`: another client has deleted the object first. Its watchers are notified by that deletion. */
export function ignoreGone(err: unknown): void {
  if (!hasReason(err, "NotFound")) throw err;
}
