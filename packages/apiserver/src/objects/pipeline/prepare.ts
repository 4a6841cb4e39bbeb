import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { StrategyContext, UpdateStrategy } from "@coxswain/kinds";
import { fillSystemMetadata, keepSystemMetadata, matchNamespace } from "../metadata.js";
import type { ObjectDeps } from "../object-deps.js";
import { strategyContext } from "../strategy-context.js";
import type { WriteScope } from "../write-scope.js";
import type { PendingWrite } from "./pending-write.js";

/** What the server and the kind itself set in an object, whatever the client sent. */
export function prepare(write: PendingWrite): void {
  const { deps, storedScope: scope, object, current } = write;
  write.context = strategyContext(deps, scope);
  if (current) prepareChanged(scope, object, current.object, write.context);
  else prepareNew(deps, scope, object, write.context);
}

export function prepareNew(
  deps: ObjectDeps,
  { kind, namespace }: WriteScope,
  object: KubernetesObject,
  context: StrategyContext,
): void {
  fillSystemMetadata(object.metadata, context.now, deps.runtime.random);
  matchNamespace(object.metadata, kind.namespaced ? namespace : "");
  kind.strategy.prepareForCreate?.(object, context);
}

function prepareChanged(
  scope: WriteScope,
  object: KubernetesObject,
  old: KubernetesObject,
  context: StrategyContext,
): void {
  matchNamespace(object.metadata, scope.kind.namespaced ? scope.namespace : "");
  if (old.metadata.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = old.metadata.generation;
  updateStrategyOf(scope).prepareForUpdate?.(object, old, context);
  keepSystemMetadata(object.metadata, old.metadata);
  delete object.metadata.selfLink;
}

/** The strategy of the view that is written. */
export const updateStrategyOf = ({ kind, view }: WriteScope): UpdateStrategy<KubernetesObject> =>
  view === "" ? kind.strategy : (kind.views[view] as UpdateStrategy<KubernetesObject>);
