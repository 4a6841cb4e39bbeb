import { hasReason } from "@coxswain/apimachinery/status";

/** For `catch`: somebody else was faster with taking it away. Whoever follows the objects is woken by that. */
export function ignoreGone(err: unknown): void {
  if (!hasReason(err, "NotFound")) throw err;
}
