import type { Steps } from "@coxswain/runtime/steps";
import { differenceInSteps, type FieldSet, intersectionInSteps, isEmpty } from "./field-set.js";
import type { Manager, Managers } from "./managers.js";
import { reconcileWithType } from "./reconcile.js";
import { setOf } from "./set-of.js";
import type { Change, Typed, Versions } from "./versions.js";

/** What nobody owns: the server's own part of the metadata. */
const unowned = setOf(
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ...[
    "name",
    "namespace",
    "creationTimestamp",
    "selfLink",
    "uid",
    "clusterName",
    "generation",
    "managedFields",
    "resourceVersion",
  ].map((name) => ["f:metadata", `f:${name}`]),
);

export const withoutUnowned = (set: FieldSet): Steps<FieldSet> => differenceInSteps(set, unowned);

/** The managers with their sets brought up to today's types; those of versions that nobody knows are gone. */
export function* reconcileManagers(managers: Managers, live: Typed, versions: Versions): Steps<Managers> {
  if (managers.size === 0) return managers;
  const out: Managers = new Map();
  for (const [id, manager] of managers) {
    const typed = yield* versions.convert(live, manager.apiVersion);
    if (typed) out.set(id, withSet(manager, yield* reconcileWithType(manager.set, typed.atom)));
  }
  return out;
}

export interface Conflict {
  readonly manager: Manager;
  readonly set: FieldSet;
}

/** What others than `writer` own of what changes. */
export function* findConflicts(managers: Managers, change: Change, writer: string): Steps<Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const [id, manager] of managers) {
    if (id === writer) continue;
    const comparison = yield* change.in(manager.apiVersion);
    const set = yield* intersectionInSteps(manager.set, comparison?.changed ?? {});
    if (!isEmpty(set)) conflicts.push({ manager, set });
  }
  return conflicts;
}

/** Takes from everyone but `writer` what changes or goes; who is left with nothing goes too. */
export function* takeChanged(managers: Managers, change: Change, writer: string): Steps<Managers> {
  const out: Managers = new Map();
  for (const [id, manager] of managers) {
    const comparison = id === writer ? undefined : yield* change.in(manager.apiVersion);
    if (id !== writer && comparison === undefined) continue;
    const left = comparison
      ? withSet(
          manager,
          yield* differenceInSteps(yield* differenceInSteps(manager.set, comparison.changed), comparison.removed),
        )
      : manager;
    if (!isEmpty(left.set)) out.set(id, left);
  }
  return out;
}

export const withSet = (manager: Manager, set: FieldSet): Manager =>
  set === manager.set ? manager : { ...manager, set };
