import type { StoreSnapshot } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import type { Answer, Request, StoreAccess } from "./protocol.js";
import { headsOfEntries, headsOfRecords, valuesOf } from "./values.js";

/** Resolves when the other side can take more. */
export type Send = (head: unknown, body?: readonly Uint8Array[]) => Promise<void>;

/** What one connection asks, and the snapshot that it holds. */
export interface Session {
  answer(request: Request): Promise<void>;
  end(): Promise<void>;
}

export function createSession(store: StoreAccess, send: Send, gone: AbortSignal): Session {
  let snapshot: StoreSnapshot | undefined;
  const reply = (answer: Answer, body?: readonly Uint8Array[]): Promise<void> => send(answer, body);

  async function carryOut(request: Request): Promise<void> {
    // A client of another version, or no client of ours, may send what is not in the type.
    if (typeof request !== "object" || request === null)
      throw new StoreError("invalid", "a request on the store's socket is an object");
    switch (request.method) {
      case "status":
        return reply({ kind: "status", status: await store.status() });
      case "get": {
        const record = await store.get(request.key, {
          signal: gone,
          ...(request.at !== undefined && { at: request.at }),
        });
        const records = record === undefined ? [] : [record];
        return reply({ kind: "records", records: headsOfRecords(records) }, valuesOf(records));
      }
      case "range": {
        const { records, revision, more, count } = await store.range(request.query, gone);
        return reply({ kind: "range", records: headsOfRecords(records), revision, more, count }, valuesOf(records));
      }
      case "history": {
        const entries = await store.history(request.key, request.limit === undefined ? {} : { limit: request.limit });
        return reply({ kind: "history", entries: headsOfEntries(entries) }, valuesOf(entries));
      }
      case "compact":
        await store.compact(request.revision);
        return reply({ kind: "done" });
      case "defragment":
        if (!store.defragment) throw new StoreError("invalid", "this store has no file of its own to defragment");
        return reply({ kind: "defragmented", ...(await store.defragment()) });
      case "snapshot": {
        await snapshot?.close();
        snapshot = await store.snapshot(gone);
        const { revision, keys, leases } = snapshot;
        return reply({ kind: "snapshot", revision, keys, ...(leases && { leases }) });
      }
      case "batches":
        if (!snapshot) throw new StoreError("invalid", "there is no snapshot to read");
        for await (const records of snapshot.batches(gone))
          await reply({ kind: "records", records: headsOfRecords(records) }, valuesOf(records));
        return reply({ kind: "end" });
    }
    throw new StoreError(
      "invalid",
      `the store's socket knows no ${JSON.stringify((request as { method?: unknown }).method)}`,
    );
  }

  return {
    async answer(request) {
      try {
        await carryOut(request);
      } catch (err) {
        if (gone.aborted) return;
        const reason = err instanceof StoreError ? err.reason : "unavailable";
        await reply({ kind: "error", reason, message: err instanceof Error ? err.message : String(err) });
      }
    },
    async end() {
      await snapshot?.close();
      snapshot = undefined;
    },
  };
}
