/** A range of keys as etcd has it: from `key` (inclusive) to `rangeEnd` (exclusive). */
export interface KeyRange {
  readonly key: string;
  readonly rangeEnd: Uint8Array;
}

/** To etcd a zero byte as the end means "to the last key", and as the beginning "from the first": no key may be empty. */
const lowest = "\u0000";
const unbounded = new Uint8Array(1);

/** All keys that begin with `prefix`; all there are when it is empty. */
export const rangeOfPrefix = (prefix: string): KeyRange => ({ key: prefix || lowest, rangeEnd: endOfPrefix(prefix) });

/** Those of them that do not come before `start`. */
export function rangeFrom(prefix: string, start: string | undefined): KeyRange {
  const range = rangeOfPrefix(prefix);
  return start !== undefined && Buffer.compare(Buffer.from(start), Buffer.from(range.key)) > 0
    ? { ...range, key: start }
    : range;
}

/** The first key behind all that begin with `prefix`: its last byte plus one. UTF-8 has no byte 0xff, so there is always room. */
function endOfPrefix(prefix: string): Uint8Array {
  if (prefix === "") return unbounded;
  const end = Buffer.from(prefix, "utf8");
  end[end.length - 1]! += 1;
  return end;
}
