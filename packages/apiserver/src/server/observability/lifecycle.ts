/** How far the server is from its end. */
export interface Lifecycle {
  /** From here on `/readyz` fails, so that load balancers choose other servers; requests are served as before. */
  beginShutdown(): void;
  /** New requests are refused with 429. */
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
