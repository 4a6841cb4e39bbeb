/** How far the server is from its end. */
export interface Lifecycle {
  /** From here on `/readyz` says no, so that load balancers look elsewhere; requests are answered as before. */
  beginShutdown(): void;
  /** New requests hear 429. */
  refuseRequests(): void;
  readonly isShuttingDown: boolean;
  readonly isRefusing: boolean;
}

export function createLifecycle(): Lifecycle {
  let phase: "serving" | "shutting down" | "refusing" = "serving";
  return {
    beginShutdown() {
      if (phase === "serving") phase = "shutting down";
    },
    refuseRequests() {
      phase = "refusing";
    },
    get isShuttingDown() {
      return phase !== "serving";
    },
    get isRefusing() {
      return phase === "refusing";
    },
  };
}
