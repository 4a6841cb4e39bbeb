import type { Event } from "@coxswain/api/core/v1";
import type { Clock } from "@coxswain/runtime/clock";
import { type AggregatorOptions, createEventAggregator } from "./event-aggregator.js";
import { type EventKey, eventKey } from "./event-keys.js";
import { createLruCache } from "./lru-cache.js";
import { createSpamFilter, type SpamFilterOptions } from "./spam-filter.js";

export interface CorrelatorOptions extends AggregatorOptions, SpamFilterOptions {
  /** How many keys are remembered. @default 4,096 */
  cacheSize?: number;
}

/** What to do with an event. */
export type Correlated =
  | { readonly action: "skip" }
  | { readonly action: "create"; readonly event: Event }
  /** The same event as before, once more. */
  | { readonly action: "patch"; readonly event: Event; readonly patch: object };

export interface EventCorrelator {
  correlate(event: Event): Correlated;
  /** What the server has stored. */
  stored(event: Event): void;
}

interface Counted {
  readonly count: number;
  readonly firstTimestamp: Event["firstTimestamp"];
  readonly name: string;
  readonly resourceVersion: string;
}

/** Keeps events from flooding the server: counts equal ones, combines similar ones, drops those of a source that sends too many. */
export function createEventCorrelator(
  options: CorrelatorOptions,
  deps: { clock: Clock; nameFor: (objectName: string) => string },
): EventCorrelator {
  const { cacheSize = 4096 } = options;
  const aggregate = createEventAggregator(options, { ...deps, cacheSize });
  const isSpam = createSpamFilter(options, { ...deps, cacheSize });
  const counts = createLruCache<EventKey, Counted>({ limit: cacheSize });

  function remember(key: EventKey, event: Event): void {
    counts.set(key, {
      count: event.count ?? 0,
      firstTimestamp: event.firstTimestamp,
      name: event.metadata.name ?? "",
      resourceVersion: event.metadata.resourceVersion ?? "",
    });
  }

  return {
    correlate(received) {
      const { event: aggregated, key } = aggregate(received);
      const before = counts.get(key);
      const event = before === undefined || before.count === 0 ? aggregated : again(aggregated, before);
      remember(key, event);
      if (isSpam(event)) return { action: "skip" };
      if (event === aggregated) return { action: "create", event };
      const { count, lastTimestamp, message } = event;
      return { action: "patch", event, patch: { count, lastTimestamp, message } };
    },
    stored: (event) => remember(eventKey(event), event),
  };
}

/** The event as one more occurrence of one that was sent before. */
const again = (event: Event, before: Counted): Event => ({
  ...event,
  metadata: {
    ...event.metadata,
    name: before.name,
    ...(before.resourceVersion === "" ? {} : { resourceVersion: before.resourceVersion }),
  },
  ...(before.firstTimestamp === undefined ? {} : { firstTimestamp: before.firstTimestamp }),
  count: before.count + 1,
});
