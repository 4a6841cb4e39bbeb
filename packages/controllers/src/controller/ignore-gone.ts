import { isNotFound } from "@coxswain/apimachinery/status";

/** For `catch`: what is not there need not be changed or deleted. Any other error is thrown again. */
export function ignoreGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
  return undefined;
}
