import type { Steps } from "@coxswain/runtime/steps";
import { equalJson } from "../json/equal.js";
import { filterSet } from "./field-filter.js";
import type { FieldSet } from "./field-set.js";
import type { Manager, Managers } from "./managers.js";
import { mergeAppliedInSteps } from "./merge.js";
import { type Conflict, findConflicts, reconcileManagers, takeChanged } from "./ownership.js";
import { pruneUnapplied } from "./prune.js";
import { setOfObject } from "./set-of-value.js";
import { Change, type Typed, type Versions } from "./versions.js";

export interface Application {
  readonly live: Typed;
  readonly applied: Typed;
  /** The identity of the applier among the managers. */
  readonly id: string;
  readonly applier: Omit<Manager, "set" | "entry" | "time">;
  readonly force: boolean;
  readonly versions: Versions;
}

export type Applied =
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[] }
  /** `typed` is undefined if the object stays as it is. */
  | { readonly kind: "applied"; readonly typed: Typed | undefined; readonly managers: Managers };

/** Lays what is applied over the live object, removes what is applied no more, and settles who owns what. */
export function* mergeAndOwn(
  before: Managers,
  { live, applied, id, applier, force, versions }: Application,
): Steps<Applied> {
  const managers = yield* reconcileManagers(before, live, versions);
  const merged = { ...live, object: yield* mergeAppliedInSteps(live.object, applied.object, live.atom) };
  const last = managers.get(id);
  managers.set(id, { ...applier, time: last?.time, set: yield* ownSet(applied, versions), entry: last?.entry });
  const next = yield* pruneUnapplied(merged, { managers, applier: id, last, versions });
  const change = new Change(versions, live, next);
  if (!force) {
    const conflicts = yield* findConflicts(managers, change, id);
    if (conflicts.length > 0) return { kind: "conflicts", conflicts };
  }
  return {
    kind: "applied",
    typed: equalJson(live.object, next.object) ? undefined : next,
    managers: yield* takeChanged(managers, change, id),
  };
}

function* ownSet({ object, atom, apiVersion }: Typed, versions: Versions): Steps<FieldSet> {
  const set = yield* setOfObject(object, atom);
  const filter = versions.filter(apiVersion);
  return filter ? yield* filterSet(filter, set) : set;
}
