/** In the order of their numbers, from 1 (SPDY/3, section 2.6.3). */
export const resetReasons = [
  "protocol-error",
  "invalid-stream",
  "refused-stream",
  "unsupported-version",
  "cancel",
  "internal-error",
  "flow-control-error",
  "stream-in-use",
  "stream-already-closed",
  "invalid-credentials",
  "frame-too-large",
] as const;
export type ResetReason = (typeof resetReasons)[number];

export const numberOfReason = (reason: ResetReason): number => resetReasons.indexOf(reason) + 1;
export const reasonOfNumber = (number: number): ResetReason => resetReasons[number - 1] ?? "internal-error";

/** A stream that was reset, or a connection that broke the rules. */
export class SpdyError extends Error {
  readonly reason: ResetReason;

  constructor(reason: ResetReason, message: string) {
    super(message);
    this.name = "SpdyError";
    this.reason = reason;
  }
}
