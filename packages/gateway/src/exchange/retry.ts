import type { RetryPolicy } from "../engine/routed-rule.js";

/** What became of an attempt. `status`: it was answered with one that the policy tries again. */
export type Trouble = "connect" | "unsent" | "overflow" | "lost" | "timeout" | "status";

export interface FailedAttempt {
  readonly trouble: Trouble;
  readonly method: string;
  /** So far. */
  readonly attempts: number;
  readonly policy: RetryPolicy | undefined;
}

/** Without a policy: a connection that its backend closed just then, and endpoints that are not reached, are no reason to fail. */
const attemptsUnasked = 3;
/** RFC 9110, section 9.2.2. */
const idempotent = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

/** Pure: whether a request whose body can be sent again is tried once more. */
export function mayRetry({ trouble, method, attempts, policy }: FailedAttempt): boolean {
  switch (trouble) {
    case "connect":
      // Nothing was sent: any method may go to another endpoint.
      return attempts < attemptsUnasked || attempts <= (policy?.attempts ?? 0);
    case "unsent":
      return (idempotent.has(method) && attempts < attemptsUnasked) || attempts <= (policy?.attempts ?? 0);
    case "overflow":
      return false;
    case "lost":
    case "timeout":
    case "status":
      return policy !== undefined && attempts <= policy.attempts;
  }
}

/** What a client is answered once no attempt is left. */
export function troubleStatus(
  trouble: Trouble,
  hasTls: boolean,
): { readonly status: number; readonly message: string } {
  switch (trouble) {
    case "timeout":
      return { status: 504, message: "the backend took too long" };
    case "overflow":
      return { status: 503, message: "the backend has as many requests as it may" };
    case "connect":
      return { status: hasTls ? 503 : 502, message: "the backend cannot be reached" };
    case "unsent":
    case "lost":
    case "status":
      return { status: 502, message: "the backend did not answer" };
  }
}
