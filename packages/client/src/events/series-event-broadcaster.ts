import type { Event } from "@coxswain/api/events/v1";
import { formatMicroTime, parseTimeMs } from "@coxswain/apimachinery/time";
import { systemRuntime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import type { EventBroadcasterOptions } from "./core-event-broadcaster.js";
import { createEventNames } from "./event-name.js";
import { createEventSender } from "./event-sender.js";
import type { EventType } from "./event-sink.js";
import { type Referable, referenceTo } from "./object-reference.js";

export interface RecordedAction {
  readonly type: EventType;
  /** Why it was done, in UpperCamelCase. */
  readonly reason: string;
  /** What was done, in UpperCamelCase. */
  readonly action: string;
  readonly note: string;
  /** A second object that it is about. */
  readonly related?: Referable;
}

/** Records events of events.k8s.io/v1. Never throws and never waits. */
export interface SeriesEventRecorder {
  event(regarding: Referable, action: RecordedAction): void;
}

export interface SeriesEventBroadcaster {
  /** `reportingInstance` is different for each process: the controller's name and the host's, for example. */
  recorder(reporting: { reportingController: string; reportingInstance: string }): SeriesEventRecorder;
  flush(): Promise<void>;
  stop(): Promise<void>;
}

/** Upstream's numbers: a series ends after six minutes of silence; one that goes on is written every half hour. */
const finishMs = 6 * 60_000;
const refreshMs = 30 * 60_000;

/**
 * Events of events.k8s.io/v1. The second occurrence of an event starts a series, which is written once more when it ends and
 * every half hour while it lasts: a thousand occurrences are three writes.
 */
export function createSeriesEventBroadcaster(options: EventBroadcasterOptions<Event>): SeriesEventBroadcaster {
  const { sink, onError = () => {}, runtime = systemRuntime() } = options;
  const { clock } = runtime;
  const nameFor = createEventNames(runtime);
  const sender = createEventSender<Event>({ sink, onError, runtime });
  /** Every event of the last minutes, by what makes two of them the same. */
  const recent = new Map<string, Event>();
  let timer: Timer | undefined;
  let refreshedAt = clock.monotonic();

  function send(event: Event): void {
    if (!sender.send({ event, ...(event.series === undefined ? {} : { patch: { series: event.series } }) }))
      onError(new Error(`too many queued events, dropped: ${event.reason} about ${event.regarding?.name}`));
  }

  function record(event: Event): void {
    const key = sameKey(event);
    const before = recent.get(key);
    const lastObservedTime = formatMicroTime(clock.now());
    if (before === undefined) {
      recent.set(key, event);
      send(event);
      timer ??= clock.setTimer(finishMs, sweep);
    } else if (before.series === undefined) {
      const series = { ...before, series: { count: 2, lastObservedTime } };
      recent.set(key, series);
      send(series);
    } else recent.set(key, { ...before, series: { count: before.series.count + 1, lastObservedTime } });
  }

  /** Forgets what is over, writes the last count of its series, and keeps long series alive on the server. */
  function sweep(): void {
    const refresh = clock.monotonic() - refreshedAt >= refreshMs;
    if (refresh) refreshedAt = clock.monotonic();
    for (const [key, event] of recent) {
      const last = parseTimeMs(event.series?.lastObservedTime ?? event.eventTime) ?? 0;
      const over = clock.now() - last >= finishMs;
      if (over) recent.delete(key);
      if (event.series !== undefined && (over || refresh)) send(event);
    }
    timer = recent.size > 0 ? clock.setTimer(finishMs, sweep) : undefined;
  }

  return {
    recorder: (reporting) => ({
      event(object, { type, reason, action, note, related }) {
        try {
          const regarding = referenceTo(object);
          record({
            metadata: { name: nameFor(regarding.name ?? ""), namespace: regarding.namespace || "default" },
            eventTime: formatMicroTime(clock.now()),
            ...reporting,
            action,
            reason,
            regarding,
            ...(related === undefined ? {} : { related: referenceTo(related) }),
            note,
            type,
          });
        } catch (error) {
          // What is recorded must never break what it is about.
          onError(error);
        }
      },
    }),
    flush: () => sender.flush(),
    async stop() {
      timer?.cancel();
      await sender.stop();
    },
  };
}

/** Two events are the same when they differ only by note and time. */
const sameKey = ({ type, action, reason, reportingController, reportingInstance, regarding, related }: Event): string =>
  JSON.stringify([type, action, reason, reportingController, reportingInstance, regarding, related ?? null]);
