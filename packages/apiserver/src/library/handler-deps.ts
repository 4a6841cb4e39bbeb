import { MemoryBudget } from "@coxswain/runtime/memory-budget";
import { createAdmission } from "../admission/admission.js";
import type { Authorizer } from "../authorization/attributes.js";
import { createListPins } from "../cache/list-pins.js";
import type { HandlerDeps } from "../endpoints/handler-deps.js";
import { createAdmissionMetrics } from "../server/metrics/admission-metrics.js";
import { createBodyMetrics } from "../server/metrics/body-metrics.js";
import { measureStore } from "../server/metrics/store-metrics.js";
import type { OwnServerOptions } from "./library-options.js";
import type { OwnCore } from "./open-core.js";
import { ownObjects } from "./own-objects.js";

export interface OwnHandlerDeps extends HandlerDeps {
  /** Ends what plugins and open connections live on. */
  stop(): void;
}

/** What the verbs rest on. */
export function ownHandlerDeps(
  { store, feed, gates, runtime, observability, limits, stored }: OwnCore,
  { admission = [] }: OwnServerOptions,
  authorizer: Authorizer,
): OwnHandlerDeps {
  const { metrics } = observability;
  const objects = ownObjects(feed, stored);
  const plugins = admission.map((plugin) => (typeof plugin === "function" ? plugin(objects) : plugin));
  const streams = { runtime, live: new Set<AbortController>(), stopped: false };
  return {
    store: measureStore(store, { runtime, kinds: stored }),
    feed,
    gates,
    runtime,
    authorizer,
    admission: createAdmission(
      plugins,
      createAdmissionMetrics(metrics, () => runtime.ioClock.monotonic()),
    ),
    pins: createListPins(runtime.clock),
    streams,
    bodyRead: createBodyMetrics(metrics),
    memory: new MemoryBudget({ totalBytes: limits.requestMemoryBytes ?? 512 * 1024 * 1024 }),
    maxBodyBytes: limits.maxBodyBytes ?? 3 * 1024 * 1024,
    minWatchMs: limits.minWatchMs ?? 30 * 60_000,
    stop() {
      for (const plugin of plugins) plugin.stop?.();
      streams.stopped = true;
      for (const stream of streams.live) stream.abort();
    },
  };
}
