import type { Steps } from "@coxswain/runtime/steps";
import { compareUtf8 } from "../text/utf8-order.js";
import {
  differenceInSteps,
  emptySet,
  type FieldSet,
  intersectionInSteps,
  isEmpty,
  isSubsetInSteps,
  unionInSteps,
} from "./field-set.js";
import type { Manager, Managers } from "./managers.js";
import { removeItems, withNamedFields } from "./remove-items.js";
import { setOfObject } from "./set-of-value.js";
import type { Typed, Versions } from "./versions.js";

/**
 * Removes from the merged object what the applier applied last time (`last`), does not apply any more, and nobody else owns.
 * `managers` has the applier's new set already.
 */
export function* pruneUnapplied(
  merged: Typed,
  {
    managers,
    applier,
    last,
    versions,
  }: { managers: Managers; applier: string; last: Manager | undefined; versions: Versions },
): Steps<Typed> {
  if (last === undefined || isEmpty(last.set)) return merged;
  const now = managers.get(applier)?.set ?? emptySet;
  // All that was applied is applied again. What is applied brings the items and map members it is in, so that nothing goes.
  // Where somebody wrote in another version, upstream's conversions have to be made all the same: they may fail.
  const inOneVersion = [last, ...managers.values()].every(({ apiVersion }) => apiVersion === merged.apiVersion);
  if (inOneVersion && (yield* isSubsetInSteps(last.set, now))) return merged;
  const then = yield* versions.convert(
    merged,
    last.apiVersion,
    `${pruning}failed to convert merged object to last applied version: `,
  );
  if (then === undefined) return merged;
  const bare = yield* without(then, yield* withNamedFields(last.set, then.atom));
  const owned = yield* addBackOwned(then, bare, { managers, versions });
  const pruned = yield* removeOnlyApplied(then, yield* versions.convert(owned, last.apiVersion, pruning), last);
  return (yield* versions.convert(pruned, merged.apiVersion, pruning)) ?? merged;
}

/** How upstream's errors about this begin. */
const pruning = "failed to prune fields: ";

function* without(typed: Typed, doomed: FieldSet): Steps<Typed> {
  return { ...typed, object: yield* removeItems(typed.object, doomed, typed.atom) };
}

function* namedSetOf({ object, atom }: Typed): Steps<FieldSet> {
  return yield* withNamedFields(yield* setOfObject(object, atom), atom);
}

/** What was removed and has an owner comes back. The version at hand goes first: a conversion may need what would be missing. */
function* addBackOwned(
  merged: Typed,
  pruned: Typed,
  { managers, versions }: { managers: Managers; versions: Versions },
): Steps<Typed> {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values())
    owned.set(apiVersion, yield* unionInSteps(owned.get(apiVersion) ?? emptySet, set));
  const first = merged.apiVersion;
  const order = [...owned.keys()].sort((a, b) => (a === first ? -1 : b === first ? 1 : compareUtf8(a, b)));
  let state = { merged, pruned };
  for (const apiVersion of order) {
    const step = (what: string): string =>
      `${pruning}failed add back owned items: failed to convert ${what} object at version ${apiVersion}: `;
    const whole = yield* versions.convert(state.merged, apiVersion, step("merged"));
    const part = yield* versions.convert(state.pruned, apiVersion, step("pruned"));
    if (!whole || !part) continue;
    const named = yield* withNamedFields(owned.get(apiVersion) ?? emptySet, whole.atom);
    const kept = yield* unionInSteps(yield* namedSetOf(part), named);
    const unowned = yield* differenceInSteps(yield* namedSetOf(whole), kept);
    state = { merged: whole, pruned: yield* without(whole, unowned) };
  }
  return state.pruned;
}

/** Of what is missing from `pruned`, only that goes which was applied before. */
function* removeOnlyApplied(merged: Typed, pruned: Typed | undefined, last: Manager): Steps<Typed> {
  if (pruned === undefined) return merged;
  const missing = yield* differenceInSteps(yield* namedSetOf(merged), yield* namedSetOf(pruned));
  const applied = yield* withNamedFields(last.set, merged.atom);
  return yield* without(merged, yield* intersectionInSteps(missing, applied));
}
