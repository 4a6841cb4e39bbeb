import { hasGrpcCode } from "@coxswain/wire/grpc";
import type { Decoded } from "@coxswain/wire/protobuf";
import type {
  DeleteResult,
  DeleteWrite,
  HistoryEntry,
  KeyEvent,
  KeyRecord,
  KeyValueStore,
  LeaseStore,
  PutResult,
  PutWrite,
  RangeQuery,
  RangeResult,
  ReadOptions,
  StoreSnapshot,
  StoreStatus,
  TransactionResult,
  WatchQuery,
  Write,
} from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { createCompaction } from "./compaction.js";
import type { CompactionState } from "./compaction-state.js";
import { startCompactor } from "./compactor.js";
import { createEtcdClient, type EtcdClient, type EtcdClientOptions } from "./etcd-client.js";
import { readHistory } from "./history.js";
import { rangeOfPrefix } from "./key-range.js";
import { grantLease, keepLeaseAlive, revokeLease } from "./leases.js";
import { OwnNotes } from "./own-notes.js";
import { readKey, readRange, readRevision } from "./reads.js";
import { rpc } from "./rpc.js";
import { takeSnapshot } from "./snapshot.js";
import { trustsProgress } from "./version.js";
import { WatchHub } from "./watch-hub.js";
import { put, remove, transact } from "./writes.js";

export interface EtcdStoreOptions extends EtcdClientOptions {
  /** History older than this is forgotten, by one of all the servers over this etcd. 0: never. @default 300000 */
  readonly compactionIntervalMs?: number;
}

/**
 * A real etcd cluster, with Kubernetes' keys. Any number of these may work on one cluster.
 *
 * Caveats: `note` is not kept; events have those of this process's own writes. A write whose connection is lost rejects with "outcome-unknown" and the store goes on.
 * @throws StoreError "unavailable" when no endpoint answers
 */
export async function openEtcdStore(options: EtcdStoreOptions): Promise<KeyValueStore> {
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
  const { prefix = "" } = options;
  if (!trusted && prefix !== "")
    options.runtime.log.warn(
      "This etcd is older than 3.4.31 and 3.5.13, whose progress reports can be trusted: all keys are watched, so that consistent reads stay right",
      { version, prefix },
    );
  return new EtcdStore(options, client, trusted);
}

class EtcdStore implements KeyValueStore {
  readonly leases: LeaseStore;
  readonly #client: EtcdClient;
  readonly #trustsProgress: boolean;
  readonly #compaction: CompactionState;
  readonly #hub: WatchHub;
  readonly #compactor: ReturnType<typeof startCompactor> | undefined;
  readonly #notes = new OwnNotes();
  readonly #pending = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  constructor(
    { runtime, prefix = "", compactionIntervalMs: intervalMs = 300_000 }: EtcdStoreOptions,
    client: EtcdClient,
    trusted: boolean,
  ) {
    const { ioClock: clock, random, scheduler, log } = runtime;
    this.#client = client;
    this.#trustsProgress = trusted;
    const compaction = (this.#compaction = createCompaction(client, clock));
    this.#hub = new WatchHub({
      client,
      compaction,
      prefix: trusted ? prefix : "",
      trustsProgress: trusted,
      scheduler,
      log,
      noted: this.#notes.noted,
    });
    const compact = (revision: number): Promise<void> => compaction.compact(revision);
    this.#compactor = intervalMs > 0 ? startCompactor({ client, clock, intervalMs, compact, log }) : undefined;
    this.leases = {
      grant: (ttlMs) => this.#whileOpen(() => grantLease(client, random, ttlMs)),
      keepAlive: (lease) => this.#whileOpen(() => keepLeaseAlive(client, lease)),
      revoke: (lease) =>
        this.#whileOpen(async () => {
          const revision = await revokeLease(client, lease);
          await this.#hub.reached(revision);
          return revision;
        }),
    };
  }

  get(key: string, options: ReadOptions = {}): Promise<KeyRecord | undefined> {
    return this.#whileOpen(() => readKey(this.#client, this.#compaction, key, options));
  }

  range(query: RangeQuery, signal?: AbortSignal): Promise<RangeResult> {
    return this.#whileOpen(() => readRange(this.#client, this.#compaction, query, signal));
  }

  put(write: PutWrite, signal?: AbortSignal): Promise<PutResult> {
    return this.#whileOpen(() =>
      this.#delivered([{ op: "put", ...write }], () => put(this.#client, write, signal), signal),
    );
  }

  delete(write: DeleteWrite, signal?: AbortSignal): Promise<DeleteResult> {
    return this.#whileOpen(() =>
      this.#delivered([{ op: "delete", ...write }], () => remove(this.#client, write, signal), signal),
    );
  }

  transaction(writes: readonly Write[], signal?: AbortSignal): Promise<TransactionResult> {
    return this.#whileOpen(() => this.#delivered(writes, () => transact(this.#client, writes, signal), signal));
  }

  async watch(
    query: WatchQuery,
    onBatch: (events: readonly KeyEvent[], progress: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    this.#checkOpen();
    return this.#hub.watch(query, onBatch, signal);
  }

  compact(revision: number): Promise<void> {
    return this.#whileOpen(() => this.#compaction.compact(revision));
  }

  readRevision(signal?: AbortSignal): Promise<number> {
    return this.#whileOpen(() => readRevision(this.#client, signal));
  }

  history(key: string, { limit }: { limit?: number } = {}): Promise<HistoryEntry[]> {
    return this.#whileOpen(async () =>
      (await readHistory(this.#client, this.#compaction, { key, trustsProgress: this.#trustsProgress })).slice(
        0,
        limit,
      ),
    );
  }

  snapshot(signal?: AbortSignal): Promise<StoreSnapshot> {
    return this.#whileOpen(() => takeSnapshot(this.#client, this.#compaction, signal));
  }

  status(): Promise<StoreStatus> {
    return this.#whileOpen(async () => {
      const client = this.#client;
      const [{ header, count }, compactedRevision, member] = await Promise.all([
        client.call(rpc.range, { ...rangeOfPrefix(client.prefix), countOnly: true }, { kind: "read" }),
        this.#compaction.find(),
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
    });
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#compactor?.stop();
    await Promise.allSettled(this.#pending);
    await this.#hub.close();
    await this.#client.close();
  }

  #checkOpen(): void {
    if (this.#closing) throw new StoreError("closed", "the store is closed");
  }

  async #whileOpen<T>(work: () => Promise<T>): Promise<T> {
    this.#checkOpen();
    const working = work();
    this.#pending.add(working);
    try {
      return await working;
    } finally {
      this.#pending.delete(working);
    }
  }

  /** A writer is answered after the watchers. */
  async #delivered<T extends { kind: string; revision?: number }>(
    writes: readonly Write[],
    write: () => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const end = this.#notes.begin(writes);
    try {
      const result = await write();
      if (result.kind !== "conflict" && result.revision !== undefined)
        await untilAborted(this.#hub.reached(result.revision), signal);
      return result;
    } finally {
      end();
    }
  }
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
