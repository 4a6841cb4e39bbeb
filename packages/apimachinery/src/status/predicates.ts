import type { StatusCause, StatusReason } from "./status.js";
import { isStatusError, type StatusError } from "./status-error.js";

const known: ReadonlySet<StatusReason | undefined> = new Set<StatusReason>([
  "Unauthorized",
  "Forbidden",
  "NotFound",
  "AlreadyExists",
  "Conflict",
  "Gone",
  "Invalid",
  "ServerTimeout",
  "StoreReadError",
  "Timeout",
  "TooManyRequests",
  "BadRequest",
  "MethodNotAllowed",
  "NotAcceptable",
  "RequestEntityTooLarge",
  "UnsupportedMediaType",
  "InternalError",
  "Expired",
  "ServiceUnavailable",
]);

/** The error itself or the nearest of its causes that is a StatusError. */
export function statusErrorOf(error: unknown): StatusError | undefined {
  // A chain of causes may be circular; no honest one is this long.
  for (let depth = 0; depth < 32 && typeof error === "object" && error !== null; depth++) {
    if (isStatusError(error)) return error;
    error = (error as { cause?: unknown }).cause;
  }
  return undefined;
}

/** By reason; the code decides only for reasons that are unknown here. */
const matches =
  (reason: StatusReason, code?: number) =>
  (error: unknown): boolean => {
    const status = statusErrorOf(error)?.status;
    if (status === undefined) return false;
    return status.reason === reason || (code !== undefined && status.code === code && !known.has(status.reason));
  };

/** These two look at the code whatever the reason is; they are older than the others upstream. */
const matchesEither =
  (reason: StatusReason, code: number) =>
  (error: unknown): boolean => {
    const status = statusErrorOf(error)?.status;
    return status !== undefined && (status.reason === reason || status.code === code);
  };

export const isNotFound = matches("NotFound", 404);
export const isAlreadyExists = matches("AlreadyExists");
export const isConflict = matches("Conflict", 409);
export const isInvalid = matches("Invalid", 422);
export const isGone = matches("Gone", 410);
export const isResourceExpired = matches("Expired");
export const isNotAcceptable = matches("NotAcceptable", 406);
export const isUnsupportedMediaType = matches("UnsupportedMediaType", 415);
export const isMethodNotSupported = matches("MethodNotAllowed", 405);
export const isServiceUnavailable = matches("ServiceUnavailable", 503);
export const isBadRequest = matches("BadRequest", 400);
export const isUnauthorized = matches("Unauthorized", 401);
export const isForbidden = matches("Forbidden", 403);
export const isTimeout = matches("Timeout", 504);
export const isServerTimeout = matches("ServerTimeout");
export const isInternalError = matches("InternalError", 500);
export const isStoreReadError = matches("StoreReadError");
export const isTooManyRequests = matchesEither("TooManyRequests", 429);
export const isRequestEntityTooLarge = matchesEither("RequestEntityTooLarge", 413);

/** The cause whose `reason` is given, of the error or of what caused it. */
export const statusCause = (error: unknown, reason: string): StatusCause | undefined =>
  statusErrorOf(error)?.status.details?.causes?.find((cause) => cause.reason === reason);

/** The answer was not in the form of the API: some other HTTP actor may have answered. */
export const isUnexpectedServerError = (error: unknown): boolean =>
  statusCause(error, "UnexpectedServerResponse") !== undefined;

export const isTooLargeResourceVersion = (error: unknown): boolean =>
  isTimeout(error) && statusCause(error, "ResourceVersionTooLarge") !== undefined;

/** How many seconds the server asks the client to wait, or undefined. It does not decide whether to try again. */
export function suggestedDelaySeconds(error: unknown): number | undefined {
  const status = statusErrorOf(error)?.status;
  if (status?.details === undefined) return undefined;
  const seconds = status.details.retryAfterSeconds ?? 0;
  return status.reason === "ServerTimeout" || seconds > 0 ? seconds : undefined;
}
