import type { Status } from "@coxswain/apimachinery/status";
import { badRequest, StatusError } from "@coxswain/apimachinery/status";

/** A webhook could not be asked, or did not answer by the rules. The failure policy decides what follows. */
export class CallFailure extends Error {
  /** As metrics count it. */
  readonly code: number;
  /** The request itself is over: nobody waits for the answer any more. */
  readonly isCanceled: boolean;

  constructor(
    webhook: string,
    reason: string,
    { code, isCanceled = false, cause }: { code: number; isCanceled?: boolean; cause?: unknown },
  ) {
    super(`failed calling webhook ${JSON.stringify(webhook)}: ${reason}`, { cause });
    this.name = "CallFailure";
    this.code = code;
    this.isCanceled = isCanceled;
  }
}

/** A webhook denies the request. */
export class Rejection extends Error {
  readonly refusal: StatusError;

  constructor(webhook: string, status: Partial<Status> | undefined) {
    const refusal = refusalOf(webhook, status);
    super(refusal.message);
    this.name = "Rejection";
    this.refusal = refusal;
  }
}

/** What the client sees: what the webhook answered, under its name, and never a code that means success. */
function refusalOf(webhook: string, status: Partial<Status> = {}): StatusError {
  const { code = 0, reason = "", message = "", details, metadata } = status;
  const denied = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const why = message || reason;
  return new StatusError({
    code: Math.max(code, 400),
    reason,
    message: why === "" ? `${denied} without explanation` : `${denied}: ${why}`,
    ...(details && { details }),
    ...(metadata && { metadata }),
  });
}

export const dryRunUnsupported = (webhook: string): StatusError =>
  badRequest(`admission webhook ${JSON.stringify(webhook)} does not support dry run`);
