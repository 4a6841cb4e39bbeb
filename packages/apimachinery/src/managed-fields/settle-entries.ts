import { equalJson } from "../json/equal.js";
import { readManagers } from "./gen/managers.js";
import type { ManagedFieldsEntry } from "./managed-fields-entry.js";

/**
 * The entries to store with an object: those of before, if nothing but times changed in them and the object is the same.
 * So a write without effect does not become a new revision. `sameObject` is asked only when all else is equal.
 */
export function keepTimes(
  before: readonly ManagedFieldsEntry[],
  after: readonly ManagedFieldsEntry[],
  sameObject: () => boolean,
): readonly ManagedFieldsEntry[] {
  if (before.length !== after.length || after.length === 0) return after;
  if (after.every((entry, index) => entry.time === before[index]?.time)) return after;
  const sameButTimes = after.every((entry, index) =>
    equalJson({ ...entry, time: undefined }, { ...before[index], time: undefined }),
  );
  return sameButTimes && sameObject() ? before : after;
}

/** What is wrong with the entries of an object after admission, in upstream's words; undefined: nothing. */
export function findInvalidEntry(entries: readonly unknown[]): string | undefined {
  try {
    readManagers(entries);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What the client is warned of when admission spoilt the managed fields; those from before admission are then kept. */
export const invalidAfterAdmission = (why: string): string =>
  `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${why}`;
