import type { KeyRecord, KeyValueStore, LeaseId, Write } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { openBackup } from "./open-backup.js";

export interface RestoreOptions {
  readonly file: string;
  /** Writes in one transaction. etcd takes 128 at most. @default 100 */
  readonly writesPerTransaction?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: { readonly keys: number; readonly of: number }) => void;
}

export interface RestoreDone {
  /** The store's revision now; it goes on growing, so it is not the backup's. */
  readonly revision: number;
  readonly written: number;
  readonly deleted: number;
}

/**
 * Brings a serving store to the state of a backup, by ordinary writes: watchers see them, and revisions go on. What is equal
 * already is left alone; keys that the backup does not have are deleted.
 *
 * Caveats: it is not one transaction. Somebody who writes at the same time may win for a key; then that key is done again.
 */
export async function restoreInto(
  store: KeyValueStore,
  { file, writesPerTransaction = 100, signal, onProgress }: RestoreOptions,
): Promise<RestoreDone> {
  const backup = await openBackup(file);
  try {
    const leases = await grantLeases(store, backup.header.leases);
    const kept = new Set<string>();
    let done = { written: 0, deleted: 0 };
    const add = (more: { written: number; deleted: number }): void =>
      void (done = { written: done.written + more.written, deleted: done.deleted + more.deleted });
    let portion: KeyRecord[] = [];
    for await (const record of backup.records()) {
      signal?.throwIfAborted();
      kept.add(record.key);
      portion.push(record);
      if (portion.length < writesPerTransaction) continue;
      add(await bring(store, portion, leases));
      portion = [];
      onProgress?.({ keys: kept.size, of: backup.header.keys });
    }
    add(await bring(store, portion, leases));
    const { records } = await store.range({ prefix: "", keysOnly: true });
    const extra = records.filter(({ key }) => !kept.has(key)).map(({ key }) => key);
    for (let from = 0; from < extra.length; from += writesPerTransaction) {
      signal?.throwIfAborted();
      add(await drop(store, extra.slice(from, from + writesPerTransaction)));
    }
    return { revision: await store.readRevision(), ...done };
  } finally {
    await backup.close();
  }
}

/** A lease of the backup is one of another store: its keys get a new one with the same time to live. */
async function grantLeases(
  store: KeyValueStore,
  leases: readonly { lease: LeaseId; ttlMs: number }[],
): Promise<Map<LeaseId, LeaseId>> {
  const granted = new Map<LeaseId, LeaseId>();
  for (const { lease, ttlMs } of leases) granted.set(lease, await store.leases.grant(ttlMs));
  return granted;
}

function bring(
  store: KeyValueStore,
  records: readonly KeyRecord[],
  leases: ReadonlyMap<LeaseId, LeaseId>,
): Promise<{ written: number; deleted: number }> {
  return untilWritten(store, async () => {
    const current = await Promise.all(records.map(({ key }) => store.get(key)));
    return records.flatMap(({ key, value, lease }, i): Write[] => {
      const now = current[i];
      if (now !== undefined && lease === undefined && now.lease === undefined && Buffer.compare(now.value, value) === 0)
        return [];
      const tied = lease === undefined ? undefined : leases.get(lease);
      return [{ op: "put", key, value, expected: now?.revision ?? 0, ...(tied !== undefined && { lease: tied }) }];
    });
  });
}

function drop(store: KeyValueStore, keys: readonly string[]): Promise<{ written: number; deleted: number }> {
  return untilWritten(store, async () => {
    const current = await Promise.all(keys.map((key) => store.get(key)));
    return keys.flatMap((key, i): Write[] =>
      current[i] === undefined ? [] : [{ op: "delete", key, expected: current[i]!.revision }],
    );
  });
}

async function untilWritten(
  store: KeyValueStore,
  plan: () => Promise<Write[]>,
): Promise<{ written: number; deleted: number }> {
  const tries = 100;
  for (let i = 0; i < tries; i++) {
    const writes = await plan();
    if (writes.length > 0 && (await store.transaction(writes)).kind === "conflict") continue;
    const written = writes.filter(({ op }) => op === "put").length;
    return { written, deleted: writes.length - written };
  }
  throw new StoreError("unavailable", "somebody else keeps writing what is being restored; stop them and try again");
}
