import { createHash } from "node:crypto";
import type { KeyEvent, KeyRecord, KeyValueStore } from "../../contract/key-value-store.js";
import { isStoreError } from "../../contract/store-error.js";

/** Everything that a store shows, each part a text or the error that stands for it. */
export interface Observation {
  readonly revision: number;
  /** By key, as a range has them. */
  readonly records: Readonly<Record<string, Seen>> | SeenError;
  /** By key, as a get answers, a history and a watch from the compaction. */
  readonly gets: Readonly<Record<string, Seen>>;
  readonly histories: Readonly<Record<string, readonly Seen[] | SeenError>>;
  readonly events: readonly Seen[] | SeenError;
  readonly leases: string;
}

export type Seen = string | SeenError;
export interface SeenError {
  readonly error: string;
}

export const isSeenError = (seen: unknown): seen is SeenError =>
  typeof seen === "object" && seen !== null && "error" in seen;

/** What all that was ever written shows, if nothing is damaged. `keys` may be gone from the store. */
export async function observe(store: KeyValueStore, keys: readonly string[]): Promise<Observation> {
  const { revision, compactedRevision } = await store.status();
  return {
    revision,
    records: await recordsOf(store),
    gets: await eachOf(keys, async (key) => {
      const record = await store.get(key);
      return record === undefined ? "nothing" : textOf(record);
    }),
    histories: await eachOf(keys, async (key) =>
      (await store.history(key)).map(({ type, revision: at, value, unreadable, note }) =>
        unreadable === undefined
          ? `${type}@${at} ${digest(value)} ${JSON.stringify(note)}`
          : { error: unreadable.message },
      ),
    ),
    events: await attempt(() => eventsOf(store, compactedRevision, revision)),
    leases: JSON.stringify(await leasesOf(store)),
  };
}

/** The records as of a revision. */
export async function recordsOf(store: KeyValueStore, at = 0): Promise<Record<string, Seen> | SeenError> {
  return attempt(async () => {
    const { records } = await store.range({ prefix: "", at });
    return Object.fromEntries(records.map((record) => [record.key, textOf(record)]));
  });
}

function textOf({ key, value, revision, createRevision, version, lease, unreadable }: KeyRecord): Seen {
  return unreadable === undefined
    ? `${key}@${revision},${createRevision},${version},${lease} ${digest(value)}`
    : { error: unreadable.message };
}

async function eventsOf(store: KeyValueStore, from: number, upTo: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  const stop = new AbortController();
  const textOfEvent = ({ type, key, revision, record, previous }: KeyEvent): Seen => {
    const texts = [record, previous].map((one) => (one === undefined ? "" : textOf(one)));
    return texts.find(isSeenError) ?? `${type} ${key}@${revision} ${texts.join(" after ")}`;
  };
  await store.watch(
    { prefix: "", from },
    (events, progress) => {
      for (const event of events) seen.push(textOfEvent(event));
      if (progress >= upTo) stop.abort();
    },
    stop.signal,
  );
  return seen;
}

async function leasesOf(store: KeyValueStore): Promise<unknown> {
  const snapshot = await store.snapshot();
  await snapshot.close();
  return snapshot.leases;
}

async function eachOf<T>(
  keys: readonly string[],
  read: (key: string) => Promise<T>,
): Promise<Record<string, T | SeenError>> {
  const found: Record<string, T | SeenError> = {};
  for (const key of keys) found[key] = await attempt(() => read(key));
  return found;
}

async function attempt<T>(work: () => Promise<T>): Promise<T | SeenError> {
  try {
    return await work();
  } catch (err) {
    // Anything else is a defect of the store.
    if (!isStoreError(err) || err.reason !== "unreadable") throw err;
    return { error: err.message };
  }
}

const digest = (bytes: Uint8Array | undefined): string =>
  bytes === undefined ? "" : `${bytes.length}:${createHash("sha1").update(bytes).digest("hex").slice(0, 12)}`;
