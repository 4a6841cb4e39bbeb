import { isStatusError } from "@coxswain/apimachinery/status";
import type { Problem } from "../contract/messages.js";

/** An error as the page shows it: the server's own words where there are any. */
export function problemOf(error: unknown): Problem {
  if (isStatusError(error)) {
    const { message = "", reason = "", code, details } = error.status;
    const causes = (details?.causes ?? []).map((cause) => ({ field: cause.field ?? "", message: cause.message ?? "" }));
    return { message, reason, code, causes };
  }
  return { message: error instanceof Error ? error.message : String(error), reason: "", code: 0 };
}
