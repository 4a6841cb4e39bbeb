import type { DeepReadonly } from "@coxswain/api";
import { cloneJson, equalAsGiven, equalJson, wasGivenEmpty } from "@coxswain/apimachinery/json";

/** Puts back members of the stored object: this way in does not take them from the client. */
export function keep<T extends object>(
  object: T,
  old: DeepReadonly<T>,
  ...members: readonly (keyof T & string)[]
): void {
  for (const member of members) {
    const value = (old as T)[member];
    if (value === undefined) delete object[member];
    else object[member] = cloneJson(value);
  }
}

interface Counted {
  metadata: { generation?: number };
}

/** Counts a generation when one of these members has changed. */
export function countGeneration<T extends Counted>(
  object: T,
  old: DeepReadonly<T>,
  ...members: readonly (keyof T & string)[]
): void {
  if (members.every((member) => equalJson(object[member], (old as T)[member]))) return;
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

/** The same where upstream compares strictly: an empty list is not none. */
export function countStrictGeneration<T extends Counted>(
  object: T,
  old: DeepReadonly<T>,
  member: keyof T & string,
): void {
  const same =
    equalAsGiven(object[member], (old as T)[member]) && wasGivenEmpty(object, member) === wasGivenEmpty(old, member);
  if (!same) object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

const ofTheWholeObject = [
  "deletionTimestamp",
  "generation",
  "selfLink",
  "labels",
  "annotations",
  "finalizers",
  "ownerReferences",
] as const;
type WholeObject = { [K in (typeof ofTheWholeObject)[number]]?: unknown };

/** For views that write a status and nothing else: labels and the like stay what they are. */
export const keepMetadata = <T extends { metadata: WholeObject }>(object: T, old: DeepReadonly<T>): void =>
  keep(object.metadata, old.metadata as DeepReadonly<T["metadata"]>, ...ofTheWholeObject);
