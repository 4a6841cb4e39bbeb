import { append } from "@coxswain/apimachinery/append";
import type { HistoryEntry } from "../contract/key-value-store.js";
import type { CompactionState } from "./compaction-state.js";
import type { EtcdClient } from "./etcd-client.js";
import { rangeOfPrefix } from "./key-range.js";
import { type EtcdEvent, eventType, rpc } from "./rpc.js";
import { openWatchStream } from "./watch-stream.js";

/** etcd gives a watch that catches up at most this many revisions at a time. */
const watchBatchRevisions = 1000;

/** Versions of a key, newest first, back to the one that stood at the compaction. Notes are not kept in etcd. */
export async function readHistory(
  client: EtcdClient,
  compaction: CompactionState,
  { key, trustsProgress }: { key: string; trustsProgress: boolean },
): Promise<HistoryEntry[]> {
  const compacted = await compaction.find();
  const read = (revision: number) => client.call(rpc.range, { key, revision }, { kind: "read" });
  const now = await read(0);
  const standing = compacted > 0 ? (await read(compacted)).keyValues[0] : undefined;
  const newest = now.keyValues[0]?.modRevision;
  const entries: HistoryEntry[] = standing
    ? [{ type: "put", revision: standing.modRevision, value: standing.value }]
    : [];
  if (now.header!.revision > compacted && (newest === undefined || newest > compacted)) {
    for (const event of await eventsOf(client, {
      key,
      from: compacted + 1,
      to: now.header!.revision,
      newest,
      trustsProgress,
    }))
      entries.push(entryOf(event));
  }
  return entries.reverse();
}

const entryOf = ({ type, keyValue }: EtcdEvent): HistoryEntry => {
  const deleted = type === eventType.delete;
  return {
    type: deleted ? "delete" : "put",
    revision: keyValue!.modRevision,
    value: deleted ? undefined : keyValue!.value,
  };
};

interface Span {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** Of the last put, unless it was deleted since. */
  readonly newest: number | undefined;
  readonly trustsProgress: boolean;
}

const ownWatch = 1;

/**
 * The events of one key. Where the newest is known they end with it. A key that is gone has an end that nobody knows: then
 * etcd is asked for its progress. One whose progress is not to be trusted is given marks instead: further watches on the
 * same stream, from the newest revision of all, whose events etcd sends in a later round than those before.
 */
async function eventsOf(client: EtcdClient, span: Span): Promise<EtcdEvent[]> {
  const found: EtcdEvent[] = [];
  const finished = new AbortController();
  let lastBatch = 0;
  let marks = 0;
  const setMark = (): void => {
    marks += 1;
    stream.create({ ...rangeOfPrefix(""), startRevision: span.to, watchId: ownWatch + marks });
  };
  const stream = await openWatchStream(client, ({ watchId, events, created, header }) => {
    if (watchId === ownWatch && events.length > 0) {
      lastBatch = events.length;
      append(
        found,
        events.filter(({ keyValue }) => keyValue!.modRevision <= span.to),
      );
      if (span.newest !== undefined && found.at(-1)?.keyValue!.modRevision === span.newest) finished.abort();
    } else if (marks > 0 && watchId === ownWatch + marks && events.length > 0) {
      if (marks >= 2 && lastBatch < watchBatchRevisions) finished.abort();
      else setMark();
    } else if (span.trustsProgress && !created && header!.revision >= span.to) finished.abort();
  });
  stream.create({ key: span.key, startRevision: span.from, watchId: ownWatch });
  if (span.newest === undefined && !span.trustsProgress) setMark();
  const ask = async (): Promise<void> => {
    for (let attempt = 0; !finished.signal.aborted; attempt += 1) {
      if (span.trustsProgress) stream.askProgress();
      await client.pause(attempt, finished.signal);
    }
  };
  try {
    await Promise.race([ask(), stream.done]);
  } finally {
    finished.abort();
    stream.done.catch(() => undefined);
    stream.cancel();
  }
  return found;
}
