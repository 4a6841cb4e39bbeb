import assert from "node:assert/strict";
import type { KeyValueStore, LeaseId } from "../contract/key-value-store.js";
import { StoreError, type StoreErrorReason } from "../contract/store-error.js";
import { bytes } from "./bytes.js";

/** Puts and returns the revision; the test fails if it is a conflict. */
export async function write(
  store: KeyValueStore,
  key: string,
  value: string,
  expected = 0,
  lease?: LeaseId,
): Promise<number> {
  const result = await store.put({ key, value: bytes(value), expected, ...(lease !== undefined && { lease }) });
  assert.equal(result.kind, "written", `put of ${key} at ${expected}`);
  return (result as { revision: number }).revision;
}

export async function remove(store: KeyValueStore, key: string, expected: number): Promise<number> {
  const result = await store.delete({ key, expected });
  assert.equal(result.kind, "deleted", `delete of ${key} at ${expected}`);
  return (result as { revision: number }).revision;
}

export async function revisionOf(store: KeyValueStore): Promise<number> {
  return (await store.status()).revision;
}

export const rejectsWith = (work: Promise<unknown>, reason: StoreErrorReason): Promise<void> =>
  assert.rejects(work, (err) => {
    assert.ok(err instanceof StoreError, `expected a StoreError, got ${String(err)}`);
    assert.equal(err.reason, reason, err.message);
    return true;
  });
