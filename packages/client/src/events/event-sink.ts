/** Where events are stored: the events of one API, in the namespace that each event names. */
export interface EventSink<E> {
  create(event: E, signal: AbortSignal): Promise<E>;
  /** A strategic merge patch of the event with this one's name. */
  patch(event: E, patch: object, signal: AbortSignal): Promise<E>;
}

export type EventType = "Normal" | "Warning";
