import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { KeyRecord, RangeQuery, RangeResult } from "../contract/key-value-store.js";
import type { SortedMap } from "../sorted-map/index.js";
import type { IndexEntry, Journal } from "./journal.js";
import { recordOf, visibleRecord } from "./logged-event.js";

/** What reading a record costs, besides copying its bytes. */
const microsPerRecord = 2;
const bytesPerMicro = 2_000;
const none = new Uint8Array(0);

/** Reads a range out of one index, leaf by leaf. The index does not change, and a pin keeps the values it points to. */
export async function rangeOver<E extends IndexEntry>(
  { journal, scheduler }: { readonly journal: Journal<E>; readonly scheduler: Pick<Scheduler, "yield"> },
  { index, revision }: { index: SortedMap<E>; revision: number },
  { prefix, start, limit = 0, keysOnly = false, countOnly = false }: RangeQuery,
  signal?: AbortSignal,
): Promise<RangeResult> {
  const range = start === undefined ? { prefix } : { prefix, start };
  const count = index.count(range);
  if (countOnly) return { records: [], revision, more: false, count };
  const wanted = limit > 0 ? Math.min(limit, count) : count;
  const records: KeyRecord[] = [];
  const pin = keysOnly ? undefined : journal.pin();
  try {
    for (const { leaf, from, to } of index.leavesOf(range)) {
      let bytes = 0;
      for (let i = from; i < to && records.length < wanted; i++) {
        const key = leaf.keys[i]!;
        const entry = leaf.values[i]!;
        const record = keysOnly ? recordOf(key, entry, none) : visibleRecord(journal, key, entry, pin);
        records.push(record);
        bytes += record.value.length;
      }
      if (records.length === wanted) break;
      const pause = scheduler.yield((to - from) * microsPerRecord + bytes / bytesPerMicro);
      if (pause === undefined) continue;
      await pause;
      signal?.throwIfAborted();
    }
  } finally {
    pin?.release();
  }
  return { records, revision, more: wanted < count, count };
}
