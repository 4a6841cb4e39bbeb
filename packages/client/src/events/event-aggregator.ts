import type { Event } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Clock } from "@coxswain/runtime/clock";
import { type EventKey, eventKey, similarKey } from "./event-keys.js";
import { createLruCache } from "./lru-cache.js";

export interface AggregatorOptions {
  /** So many different messages about the same thing are one event from then on. @default 10 */
  maxEvents?: number;
  /** Events further apart than this are not similar. @default 600,000 */
  maxIntervalMs?: number;
  /** @default upstream's */
  aggregateMessage?: (event: Event) => string;
}

export interface Aggregated {
  readonly event: Event;
  /** Under this key the event is counted: its own, or the one that all similar events share. */
  readonly key: EventKey;
}

interface Similar {
  /** Without doubles. An array: nearly all have one, and a Set of one takes twenty times its room. */
  readonly messages: readonly string[];
  readonly lastAt: number;
}

/** Events that differ only by their message become one, once there are many of them. */
export function createEventAggregator(
  { maxEvents = 10, maxIntervalMs = 600_000, aggregateMessage = combined }: AggregatorOptions,
  deps: { clock: Clock; cacheSize: number; nameFor: (objectName: string) => string },
): (event: Event) => Aggregated {
  const records = createLruCache<EventKey, Similar>({
    limit: deps.cacheSize,
    isOver: ({ lastAt }) => deps.clock.now() - lastAt > maxIntervalMs,
  });
  return (event) => {
    const now = deps.clock.now();
    const similar = similarKey(event);
    const known = records.get(similar);
    const before = known !== undefined && now - known.lastAt <= maxIntervalMs ? known.messages : [];
    const message = event.message ?? "";
    const messages = before.includes(message) ? before : before.concat(message); // with a spread it has room for 16 more
    // The list does not grow beyond what decides.
    records.set(similar, { messages: messages.length < maxEvents ? messages : messages.slice(1), lastAt: now });
    if (messages.length < maxEvents) return { event, key: eventKey(event) };

    const time = formatTime(now);
    const { involvedObject, type, reason, source } = event;
    return {
      key: similar,
      event: {
        metadata: {
          name: deps.nameFor(involvedObject.name ?? ""),
          ...(event.metadata.namespace ? { namespace: event.metadata.namespace } : {}),
        },
        involvedObject,
        ...(reason === undefined ? {} : { reason }),
        message: aggregateMessage(event),
        ...(source === undefined ? {} : { source }),
        firstTimestamp: time,
        lastTimestamp: time,
        count: 1,
        ...(type === undefined ? {} : { type }),
      },
    };
  };
}

const combined = (event: Event): string => `(combined from similar events): ${event.message ?? ""}`;
