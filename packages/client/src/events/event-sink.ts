import type { ObjectMeta } from "@coxswain/api/meta/v1";

/** Where events are stored: the events of one API, in the namespace that each event names. */
export interface EventSink<E> {
  create(event: E, signal: AbortSignal): Promise<E>;
  /** A strategic merge patch of the event with this one's name. */
  patch(event: E, patch: object, signal: AbortSignal): Promise<E>;
}

/** The events of one namespace: `client.core.v1.events("default")` is one, and so is `client.events.v1.events("default")`. */
export interface EventAccess<E> {
  create(event: E, options: { signal: AbortSignal }): Promise<E>;
  patch(
    name: string,
    patch: { readonly strategic: Readonly<Record<string, unknown>> },
    options: { signal: AbortSignal },
  ): Promise<E>;
}

/** A sink of a client's events, by namespace. */
export const createEventSink = <E extends { metadata?: ObjectMeta }>(
  inNamespace: (namespace: string) => EventAccess<E>,
): EventSink<E> => ({
  create: (event, signal) => inNamespace(event.metadata?.namespace ?? "default").create(event, { signal }),
  patch: (event, patch, signal) =>
    inNamespace(event.metadata?.namespace ?? "default").patch(
      event.metadata?.name ?? "",
      { strategic: patch as Readonly<Record<string, unknown>> },
      { signal },
    ),
});

export type EventType = "Normal" | "Warning";
