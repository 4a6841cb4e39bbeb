import type { Logger } from "@coxswain/runtime/log";
import type { RunningServer } from "./run-apiserver.js";

/** Serves until a signal, or until the store fails: then the exit code is 1, so that a supervisor notices. */
export async function serveUntilSignal(
  server: Pick<RunningServer, "failed" | "stop">,
  signal: Promise<unknown>,
  log: Pick<Logger, "error">,
): Promise<number> {
  const failure = server.failed.catch((error: unknown) => {
    log.error("the store failed", { error });
    return "failed" as const;
  });
  const outcome = await Promise.race([signal.then(() => "signal" as const), failure]);
  await server.stop();
  return outcome === "signal" ? 0 : 1;
}
