import type { ClusterEvent } from "../framework/cluster-event.js";

/** Something that happened while pods were being scheduled. */
export interface RecordedEvent {
  readonly event: ClusterEvent;
  readonly old: unknown;
  readonly object: unknown;
}

/**
 * The pods that are being scheduled, and what has happened meanwhile: a pod that fails must not miss the event that would have
 * let it succeed. Events are dropped once every pod that was under way when they happened is done.
 */
export interface InFlight {
  begin(uid: string): void;
  done(uid: string): void;
  has(uid: string): boolean;
  /** Records it if any pod is under way. */
  record(event: RecordedEvent): void;
  /** What has happened since the pod began; undefined for a pod that is not under way. */
  eventsSince(uid: string): readonly RecordedEvent[] | undefined;
  readonly size: number;
}

export function createInFlight(): InFlight {
  let sequence = 0;
  const pods = new Map<string, number>();
  /** Pods (undefined) and events in the order in which they came. */
  const entries = new Map<number, RecordedEvent | undefined>();
  return {
    begin(uid) {
      pods.set(uid, ++sequence);
      entries.set(sequence, undefined);
    },
    done(uid) {
      const began = pods.get(uid);
      if (began === undefined) return;
      pods.delete(uid);
      entries.delete(began);
      for (const [at, event] of entries) {
        if (event === undefined) break;
        entries.delete(at);
      }
    },
    has: (uid) => pods.has(uid),
    record(event) {
      if (pods.size > 0) entries.set(++sequence, event);
    },
    eventsSince(uid) {
      const began = pods.get(uid);
      if (began === undefined) return undefined;
      const events: RecordedEvent[] = [];
      for (const [at, event] of entries) if (at > began && event) events.push(event);
      return events;
    },
    get size() {
      return pods.size;
    },
  };
}
