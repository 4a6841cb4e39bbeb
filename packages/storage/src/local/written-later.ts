import type { RangeCheck } from "../contract/key-value-store.js";
import { compareKeys, type SortedMap } from "../sorted-map/index.js";
import type { IndexEntry } from "./journal.js";

/** What a batch starts from, and what its earlier requests made of it. */
interface Written<E> {
  /** Undefined: deleted. */
  readonly touched: ReadonlyMap<string, E | undefined>;
  readonly index: Pick<SortedMap<E>, "forEach">;
}

/** Pure: a key of the range that was written after the revision that is expected. */
export function writtenLater<E extends IndexEntry>(
  { key: first, end, expected }: RangeCheck,
  { touched, index }: Written<E>,
): { readonly key: string; readonly entry: E } | undefined {
  const isBeforeEnd = (key: string): boolean => end === undefined || Buffer.compare(Buffer.from(key), end) < 0;
  for (const [key, entry] of touched)
    if (entry && entry.revision > expected && compareKeys(key, first) >= 0 && isBeforeEnd(key)) return { key, entry };
  let found: { key: string; entry: E } | undefined;
  index.forEach({ start: first }, (key, entry) => {
    if (!isBeforeEnd(key)) return false;
    if (entry.revision > expected && !touched.has(key)) found = { key, entry };
    return found === undefined;
  });
  return found;
}
