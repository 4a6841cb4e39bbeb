import { cacheNotReady } from "../cache/read-errors.js";
import type { WatchCache } from "../cache/watch-cache.js";
import type { HandlerDeps } from "./handler-deps.js";

/** Throws 429 where a cache cannot show all of its resource: one of its objects cannot be read. */
export function checkReady(
  { runtime: { clock }, gates }: Pick<HandlerDeps, "runtime" | "gates">,
  { kind, unreadable }: WatchCache,
): void {
  const [object] = unreadable.below("");
  if (object) throw cacheNotReady(kind, { object, forMs: clock.monotonic() - unreadable.since, gates });
}
