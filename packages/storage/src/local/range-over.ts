import { macrotask } from "@coxswain/runtime/event-loop";
import type { KeyRecord, RangeQuery, RangeResult } from "../contract/key-value-store.js";
import type { SortedMap } from "../sorted-map/index.js";
import type { IndexEntry, Journal } from "./journal.js";
import { recordOf, visibleRecord } from "./logged-event.js";

/** Reading pauses for others after about this much. */
const bytesPerTurn = 4 * 1024 * 1024;
const none = new Uint8Array(0);

/** Reads a range out of one index. The index does not change, and a pin keeps the values it points to. */
export async function rangeOver<E extends IndexEntry>(
  journal: Journal<E>,
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
    let bytes = 0;
    for (const { leaf, from, to } of index.leavesOf(range)) {
      for (let i = from; i < to && records.length < wanted; i++) {
        const key = leaf.keys[i]!;
        const entry = leaf.values[i]!;
        const record = keysOnly ? recordOf(key, entry, none) : visibleRecord(journal, key, entry, pin);
        records.push(record);
        bytes += record.value.length;
      }
      if (records.length === wanted) break;
      if (bytes >= bytesPerTurn && pin !== undefined) {
        bytes = 0;
        await macrotask();
        signal?.throwIfAborted();
      }
    }
  } finally {
    pin?.release();
  }
  return { records, revision, more: wanted < count, count };
}
