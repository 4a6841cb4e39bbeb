/** Why a container could not be started: the reason and message of its waiting state. */
export class StartError extends Error {
  override readonly name = "StartError";
  readonly reason: string;
  /** When to try again, in milliseconds from now. */
  readonly retryMs: number;

  /** @param retryMs @default 10 s, as a failed sync of a pod */
  constructor(reason: string, message: string, retryMs = 10_000) {
    super(message);
    this.reason = reason;
    this.retryMs = retryMs;
  }
}
