import type { Steps } from "@coxswain/runtime/steps";
import { compareUtf8 } from "../text/utf8-order.js";
import { unionInSteps } from "./field-set.js";
import { type Manager, type Managers, managerId, secondsOf } from "./managers.js";

/** The most managers by update that an object keeps. */
export const maxUpdateManagers = 10;

/** Merges the oldest updaters of each version into one named "ancient-changes", until no more than ten updaters are left. */
export function* capManagers(managers: Managers): Steps<Managers> {
  if (managers.size <= maxUpdateManagers) return managers;
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  if (updaters.length <= maxUpdateManagers) return managers;
  updaters.sort(([a, left], [b, right]) => secondsOf(left) - secondsOf(right) || compareUtf8(a, b));
  const out: Managers = new Map(managers);
  const firstOf = new Map<string, string>();
  let left = updaters.length;
  for (const [id, updater] of updaters) {
    if (left <= maxUpdateManagers) break;
    const { apiVersion, time } = updater;
    const bucketId = managerId({ manager: "ancient-changes", operation: "Update", apiVersion, subresource: "" });
    const first = firstOf.get(apiVersion);
    if (first === undefined) {
      firstOf.set(apiVersion, id);
      continue;
    }
    const bucket = out.get(bucketId) ?? takeOut(out, first) ?? updater;
    out.delete(id);
    // The time of the younger one; the subresource is forgotten.
    out.set(bucketId, {
      ...bucket,
      manager: "ancient-changes",
      subresource: "",
      set: yield* unionInSteps(updater.set, bucket.set),
      time,
    });
    left--;
  }
  return out;
}

function takeOut(managers: Managers, id: string): Manager | undefined {
  const manager = managers.get(id);
  managers.delete(id);
  return manager;
}
