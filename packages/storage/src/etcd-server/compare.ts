import type { KeyRecord } from "../contract/key-value-store.js";
import type { LeaseNameOf } from "./etcd-key-value.js";
import type { Compare } from "./messages.js";

/** Numbers of `Compare.target`. */
const target = { version: 0, create: 1, mod: 2, value: 3, lease: 4 } as const;

/** By the number of `Compare.result`: equal, greater, less, not equal. */
const results: readonly ((order: number) => boolean)[] = [
  (order) => order === 0,
  (order) => order > 0,
  (order) => order < 0,
  (order) => order !== 0,
];

/** Whether a comparison holds for a record; one that is not there has revisions and version 0, and no value compares to it (`applyCompare`). */
export function isTrue(compare: Compare, record: KeyRecord | undefined, leaseName: LeaseNameOf): boolean {
  if (compare.target === target.value && !record) return false;
  return results[compare.result]?.(orderOf(compare, record, leaseName)) ?? false;
}

function orderOf(compare: Compare, record: KeyRecord | undefined, leaseName: LeaseNameOf): number {
  switch (compare.target) {
    case target.version:
      return (record?.version ?? 0) - (compare.version ?? 0);
    case target.create:
      return (record?.createRevision ?? 0) - (compare.create_revision ?? 0);
    case target.mod:
      return (record?.revision ?? 0) - (compare.mod_revision ?? 0);
    case target.value:
      return Buffer.compare(record?.value ?? new Uint8Array(0), compare.value ?? new Uint8Array(0));
    default: {
      const difference = (record?.lease === undefined ? 0n : leaseName(record.lease)) - (compare.lease ?? 0n);
      return difference > 0n ? 1 : difference < 0n ? -1 : 0;
    }
  }
}
