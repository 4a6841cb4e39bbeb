import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { KeyRecord, LeaseId, StoreSnapshot } from "../contract/key-value-store.js";
import { StoreError, unreadableValueError } from "../contract/store-error.js";
import type { IndexEntry, Journal } from "./journal.js";
import { visibleRecord } from "./logged-event.js";
import type { StoreState } from "./plan-batch.js";

/** What reading a record and passing it on costs. */
const microsPerRecord = 5;

/** The index of this moment, and a pin on the values it points to. */
export function snapshotOver<E extends IndexEntry>(
  { journal, scheduler }: { readonly journal: Journal<E>; readonly scheduler: Pick<Scheduler, "yield"> },
  { index, revision }: StoreState<E>,
  leases: readonly { readonly lease: LeaseId; readonly ttlMs: number }[],
): StoreSnapshot {
  const pin = journal.pin();
  let closed = false;

  async function* batches(signal?: AbortSignal): AsyncGenerator<readonly KeyRecord[], void> {
    for (const { leaf } of index.leavesOf()) {
      signal?.throwIfAborted();
      if (closed) throw new StoreError("closed", "the snapshot is closed");
      const records = leaf.keys.map((key, i): KeyRecord => {
        const record = visibleRecord(journal, key, leaf.values[i]!, pin);
        if (record.unreadable) throw unreadableValueError(record.unreadable);
        return record;
      });
      yield records;
      const pause = scheduler.yield(records.length * microsPerRecord);
      if (pause) await pause;
    }
  }

  return {
    revision,
    keys: index.size,
    leases,
    batches,
    close: async () => {
      if (!closed) pin?.release();
      closed = true;
    },
  };
}
