import type { Event, EventSource } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import { type CorrelatorOptions, createEventCorrelator } from "./event-correlator.js";
import { createEventNames } from "./event-name.js";
import { createEventSender } from "./event-sender.js";
import type { EventSink, EventType } from "./event-sink.js";
import { type Referable, referenceTo } from "./object-reference.js";

/** Records what happens to objects, for people to read. Never throws and never waits. */
export interface EventRecorder {
  /**
   * `reason` is short, in UpperCamelCase, for programs; `message` is for people. The event lives in the object's namespace,
   * or in `default` where the object has none.
   */
  event(object: Referable, event: RecordedEvent): void;
}

export interface RecordedEvent {
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Takes the events of its recorders to the server, combined and limited. */
export interface EventBroadcaster {
  recorder(source: EventSource): EventRecorder;
  /** Receives every event as it is recorded, for a log for example. Returns a function that unsubscribes. */
  subscribe(see: (event: Event) => void): () => void;
  /** Resolves once everything recorded so far was sent or given up. */
  flush(): Promise<void>;
  /** Drops what was not sent. */
  stop(): Promise<void>;
}

export interface EventBroadcasterOptions<E> {
  sink: EventSink<E>;
  /** Events that were refused, dropped or could not be made. */
  onError?: (error: unknown) => void;
  /** Its `activity` counts events until they are sent. @default systemRuntime() */
  runtime?: Runtime;
}

/** Events of core/v1: equal ones are counted, similar ones combined, floods cut off. */
export function createEventBroadcaster(
  options: EventBroadcasterOptions<Event> & { correlator?: CorrelatorOptions },
): EventBroadcaster {
  const { sink, onError = () => {}, runtime = systemRuntime() } = options;
  const { clock } = runtime;
  const nameFor = createEventNames(runtime);
  const correlator = createEventCorrelator(options.correlator ?? {}, { clock, nameFor });
  const sender = createEventSender<Event>({ sink, onError, runtime });
  const subscribers = new Set<(event: Event) => void>();

  function make(source: EventSource, object: Referable, recorded: RecordedEvent): Event {
    const involvedObject = referenceTo(object);
    const now = formatTime(clock.now());
    const { type, reason, message, annotations } = recorded;
    return {
      metadata: {
        name: nameFor(involvedObject.name ?? ""),
        namespace: involvedObject.namespace || "default",
        ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
      },
      involvedObject,
      reason,
      message,
      source,
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type,
      ...(source.component ? { reportingComponent: source.component } : {}),
      ...(source.host ? { reportingInstance: source.host } : {}),
    };
  }

  function publish(event: Event): void {
    for (const see of subscribers) see(event);
    const correlated = correlator.correlate(event);
    if (correlated.action === "skip") return;
    const patch = correlated.action === "patch" ? { patch: correlated.patch } : {};
    if (!sender.send({ event: correlated.event, ...patch, onStored: correlator.stored }))
      onError(new Error(`too many queued events, dropped: ${event.reason} about ${event.involvedObject.name}`));
  }

  return {
    recorder: (source) => ({
      event(object, recorded) {
        try {
          publish(make(source, object, recorded));
        } catch (error) {
          // What is recorded must never break what it is about.
          onError(error);
        }
      },
    }),
    subscribe(see) {
      subscribers.add(see);
      return () => void subscribers.delete(see);
    },
    flush: () => sender.flush(),
    stop: () => sender.stop(),
  };
}
