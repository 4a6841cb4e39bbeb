import type { KeyEvent, KeyValueStore, WatchQuery } from "../contract/key-value-store.js";
import { text } from "./bytes.js";

/** How long the delivery of an event may take. */
const deliveryTimeoutMs = 10_000;

/** A watch with everything that was delivered to it. */
export interface Followed {
  /** `put /a = v @5` or `delete /a @6`, in order. */
  readonly seen: string[];
  /** The latest progress. */
  progress(): number;
  /** Resolves once everything up to the revision has been delivered. */
  reach(revision: number): Promise<void>;
  /** Aborts it and waits for its end. */
  stop(): Promise<void>;
  readonly ended: Promise<void>;
}

export const summary = ({ type, key, revision, record }: KeyEvent): string =>
  type === "put" ? `put ${key} = ${text(record?.value)} @${revision}` : `delete ${key} @${revision}`;

export function follow(
  store: KeyValueStore,
  query: WatchQuery,
  onBatch?: (events: readonly KeyEvent[]) => void,
): Followed {
  const seen: string[] = [];
  const waiting: { revision: number; resolve: () => void }[] = [];
  const aborting = new AbortController();
  let progress = 0;
  const ended = store.watch(
    query,
    (events, reached) => {
      if (reached < progress) throw new Error(`progress went back from ${progress} to ${reached}`);
      progress = reached;
      for (const event of events) {
        if (event.revision > reached)
          throw new Error(`an event of revision ${event.revision} came with progress ${reached}`);
        seen.push(summary(event));
      }
      onBatch?.(events);
      for (const one of waiting.splice(0)) {
        if (one.revision <= progress) one.resolve();
        else waiting.push(one);
      }
    },
    aborting.signal,
  );
  ended.catch(() => undefined);
  return {
    seen,
    progress: () => progress,
    async reach(revision) {
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new Error(`the watch is still at ${progress}, not at ${revision}`)),
          deliveryTimeoutMs,
        );
      });
      const cut = ended.then(() => Promise.reject(new Error(`the watch ended before revision ${revision}`)));
      const reached = new Promise<void>((resolve) =>
        progress >= revision ? resolve() : waiting.push({ revision, resolve }),
      );
      await Promise.race([reached, cut, tooLate]).finally(() => clearTimeout(timer));
    },
    async stop() {
      aborting.abort();
      await ended;
    },
    ended,
  };
}
