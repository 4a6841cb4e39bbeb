import { hasGrpcCode } from "@coxswain/wire/grpc";
import type { Decoded } from "@coxswain/wire/protobuf";
import type { KeyValueStore } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { createCompaction } from "./compaction.js";
import { startCompactor } from "./compactor.js";
import { createEtcdClient, type EtcdClient, type EtcdClientOptions } from "./etcd-client.js";
import { readHistory } from "./history.js";
import { rangeOfPrefix } from "./key-range.js";
import { grantLease, keepLeaseAlive, revokeLease } from "./leases.js";
import { readKey, readRange, readRevision } from "./reads.js";
import { rpc } from "./rpc.js";
import { takeSnapshot } from "./snapshot.js";
import { trustsProgress } from "./version.js";
import { WatchHub } from "./watch-hub.js";
import { put, remove, transact } from "./writes.js";

export interface EtcdStoreOptions extends EtcdClientOptions {
  /** History older than this is forgotten, by one of all the servers over this etcd. 0: never. @default 300000 */
  readonly compactionIntervalMs?: number;
  readonly log?: { warn(message: string, fields?: Readonly<Record<string, unknown>>): void };
}

/**
 * A real etcd cluster, with Kubernetes' keys. Any number of these may work on one cluster.
 *
 * Caveats: `note` is not kept. A write whose connection is lost rejects with "outcome-unknown" and the store goes on.
 * @throws StoreError "unavailable" when no endpoint answers
 */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<KeyValueStore> {
  const { clock, random, prefix = "", compactionIntervalMs = 300_000 } = options;
  const warn = (message: string, fields: Readonly<Record<string, unknown>>): void => options.log?.warn(message, fields);
  const client = createEtcdClient(options);
  const version = await memberStatus(client).then(
    (status) => status?.version,
    async (error: unknown) => {
      await client.close();
      throw error;
    },
  );
  // One that keeps its version to itself is newer than those lines.
  const trusted = version === undefined || trustsProgress(version);
  if (!trusted && prefix !== "")
    warn(
      "This etcd is older than 3.4.31 and 3.5.13, whose progress reports can be trusted: all keys are watched, so that consistent reads stay right",
      { version, prefix },
    );
  const compaction = createCompaction(client, clock);
  const hub = new WatchHub({ client, compaction, prefix: trusted ? prefix : "", trustsProgress: trusted, warn });
  const compactor =
    compactionIntervalMs > 0
      ? startCompactor({
          client,
          clock,
          intervalMs: compactionIntervalMs,
          compact: (revision) => compaction.compact(revision),
          warn,
        })
      : undefined;

  const pending = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const whileOpen = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closing) throw new StoreError("closed", "the store is closed");
    const working = work();
    pending.add(working);
    try {
      return await working;
    } finally {
      pending.delete(working);
    }
  };
  /** A writer is answered after the watchers. */
  const delivered = async <T extends { kind: string; revision?: number }>(
    writing: Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> => {
    const result = await writing;
    if (result.kind !== "conflict" && result.revision !== undefined)
      await untilAborted(hub.reached(result.revision), signal);
    return result;
  };

  return {
    get: (key, readOptions = {}) => whileOpen(() => readKey(client, compaction, key, readOptions)),
    range: (query, signal) => whileOpen(() => readRange(client, compaction, query, signal)),
    put: (write, signal) => whileOpen(() => delivered(put(client, write, signal), signal)),
    delete: (write, signal) => whileOpen(() => delivered(remove(client, write, signal), signal)),
    transaction: (writes, signal) => whileOpen(() => delivered(transact(client, writes, signal), signal)),
    async watch(query, onBatch, signal) {
      if (closing) throw new StoreError("closed", "the store is closed");
      return hub.watch(query, onBatch, signal);
    },
    compact: (revision) => whileOpen(() => compaction.compact(revision)),
    readRevision: (signal) => whileOpen(() => readRevision(client, signal)),
    history: (key, { limit } = {}) =>
      whileOpen(async () => (await readHistory(client, compaction, { key, trustsProgress: trusted })).slice(0, limit)),
    snapshot: (signal) => whileOpen(() => takeSnapshot(client, compaction, signal)),
    leases: {
      grant: (ttlMs) => whileOpen(() => grantLease(client, random, ttlMs)),
      keepAlive: (lease) => whileOpen(() => keepLeaseAlive(client, lease)),
      revoke: (lease) => whileOpen(async () => hub.reached(await revokeLease(client, lease))),
    },
    status: () =>
      whileOpen(async () => {
        const [{ header, count }, compactedRevision, member] = await Promise.all([
          client.call(rpc.range, { ...rangeOfPrefix(prefix), countOnly: true }, { kind: "read" }),
          compaction.find(),
          memberStatus(client),
        ]);
        const full = member?.errors.find((error) => error.includes("NOSPACE"));
        return {
          engine: "etcd",
          revision: header!.revision,
          compactedRevision,
          keys: count,
          sizeBytes: member?.databaseBytes ?? 0,
          ...(full !== undefined && { readOnly: `etcd has no space left (${full})` }),
        };
      }),
    close() {
      closing ??= (async () => {
        compactor?.stop();
        await Promise.allSettled(pending);
        await hub.close();
        await client.close();
      })();
      return closing;
    },
  };
}

/** Undefined where the user may not know: etcd shows it to everyone up to 3.5, and since then to administrators. */
async function memberStatus(client: EtcdClient): Promise<Decoded<typeof rpc.status.response> | undefined> {
  try {
    return await client.call(rpc.status, {}, { kind: "read" });
  } catch (error) {
    if (error instanceof StoreError && hasGrpcCode(error.cause, "PERMISSION_DENIED")) return undefined;
    throw error;
  }
}

async function untilAborted(work: Promise<void> | undefined, signal: AbortSignal | undefined): Promise<void> {
  if (!work || !signal) return work;
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
