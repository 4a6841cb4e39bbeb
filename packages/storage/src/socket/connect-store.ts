import type { StoreSnapshot } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import { type Connection, type ConnectStoreOptions, openConnection } from "./connection.js";
import type { Request, StoreAccess } from "./protocol.js";
import { entriesFrom, recordsFrom } from "./values.js";

/** A store that another process has open. */
export interface StoreClient extends StoreAccess {
  /** Of the process that serves it. */
  readonly pid: number;
}

/**
 * Connects to the process that serves a store; undefined when there is none.
 * Calls are made one after another; each snapshot has a connection of its own.
 * @throws StoreError "unavailable" when somebody listens but does not answer as ours would
 */
export async function connectStore(options: ConnectStoreOptions): Promise<StoreClient | undefined> {
  const connection = await openConnection(options);
  if (!connection) return undefined;
  return {
    pid: connection.pid,
    status: async () => (await connection.call({ method: "status" }, "status")).answer.status,
    async get(key, { at, signal } = {}) {
      const { answer, body } = await connection.call(
        { method: "get", key, ...(at !== undefined && { at }) },
        "records",
        signal,
      );
      return recordsFrom(answer.records, body)[0];
    },
    async range(query, signal) {
      const { answer, body } = await connection.call({ method: "range", query }, "range", signal);
      const { revision, more, count } = answer;
      return { records: recordsFrom(answer.records, body), revision, more, count };
    },
    async history(key, { limit } = {}) {
      const { answer, body } = await connection.call(
        { method: "history", key, ...(limit !== undefined && { limit }) },
        "history",
      );
      return entriesFrom(answer.entries, body);
    },
    async compact(revision) {
      await connection.call({ method: "compact", revision }, "done");
    },
    async defragment() {
      const { beforeBytes, afterBytes } = (await connection.call({ method: "defragment" }, "defragmented")).answer;
      return { beforeBytes, afterBytes };
    },
    snapshot: (signal) => takeSnapshot(options, signal),
    close: () => connection.close(),
  };
}

async function takeSnapshot(options: ConnectStoreOptions, signal: AbortSignal | undefined): Promise<StoreSnapshot> {
  const connection = await openConnection(options);
  if (!connection) throw new StoreError("unavailable", "the server has ended meanwhile");
  try {
    const { revision, keys, leases } = (await connection.call({ method: "snapshot" }, "snapshot", signal)).answer;
    return {
      revision,
      keys,
      ...(leases && { leases }),
      batches: (signal) => batchesOf(connection, signal),
      close: () => connection.close(),
    };
  } catch (err) {
    await connection.close();
    throw err;
  }
}

async function* batchesOf(connection: Connection, signal: AbortSignal | undefined) {
  const request: Request = { method: "batches" };
  for await (const { answer, body } of connection.stream(request, signal)) yield recordsFrom(answer.records, body);
}
