import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { WriteScope } from "../write-scope.js";
import type { PendingWrite } from "./pending-write.js";
import { updateStrategyOf } from "./prepare.js";

/** A valid object gets its last form; the kind's warnings about it go to the client. */
export function canonicalize(write: PendingWrite): void {
  const { current, storedScope: scope, object, context } = write;
  const own = scope.kind.strategy;
  if (!current) {
    warnOfAll(scope, own.warningsOnCreate?.(object, context));
    own.canonicalize?.(object);
    return;
  }
  const strategy = updateStrategyOf(scope);
  warnOfAll(scope, strategy.warningsOnUpdate?.(object, current.object, context));
  (strategy.canonicalize ?? own.canonicalize)?.(object);
  write.object = keepTimesOfUnchanged(object, current.object);
}

function warnOfAll(scope: WriteScope, warnings: readonly string[] = []): void {
  for (const warning of warnings) scope.warn(warning);
}

/** A write that changes nothing but the times of managed fields changes nothing at all. */
function keepTimesOfUnchanged(object: KubernetesObject, old: KubernetesObject): KubernetesObject {
  const entries = object.metadata.managedFields;
  const before = old.metadata.managedFields;
  if (!entries || entries.length !== before?.length) return object;
  const timeless = entries.map((entry, at) => ({
    ...entry,
    ...(before[at]?.time === undefined ? {} : { time: before[at].time }),
  }));
  const same = { ...object, metadata: { ...object.metadata, managedFields: timeless } };
  return equalJson(same, old) ? same : object;
}
