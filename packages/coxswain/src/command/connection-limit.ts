import { readFileSync } from "node:fs";
import type { Clock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";

/** For the store, webhooks, aggregated servers and kubelets, or whatever else the process opens. */
const reservedFiles = 128;
/** A flood of connections is one line in this time. */
const logEveryMs = 60_000;

/**
 * Connections up to the limit of open files, less what the server itself needs. Beyond the limit the kernel's `accept` fails with EMFILE
 * and libuv closes the connection without a word: nobody would know why clients are cut off.
 * @param limits `limit` of open files (undefined: not known, no limit of ours), `filesEach` that a connection takes
 */
export function connectionLimit(
  { clock, log }: { readonly clock: Pick<Clock, "monotonic">; readonly log: Pick<Logger, "warn"> },
  {
    limit = openFilesLimit(),
    filesEach = 1,
  }: { readonly limit?: number | undefined; readonly filesEach?: number } = {},
): { readonly maxConnections?: number; readonly onRefused: () => void } {
  let refused = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const onRefused = (): void => {
    refused += 1;
    if (clock.monotonic() - loggedAt < logEveryMs) return;
    loggedAt = clock.monotonic();
    log.warn("connections are refused: as many are open as the limit of open files allows", { limit, refused });
    refused = 0;
  };
  return limit === undefined || limit <= 2 * reservedFiles
    ? { onRefused }
    : { maxConnections: Math.floor((limit - reservedFiles) / filesEach), onRefused };
}

/** The soft limit of this process; undefined where it has none, or the system does not report it. */
function openFilesLimit(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined; // not Linux
  }
}
