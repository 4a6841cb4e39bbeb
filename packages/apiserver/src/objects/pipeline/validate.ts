import { type FieldError, fieldPath } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { invalid } from "@coxswain/apimachinery/status";
import { checkPathSegmentName, validateObjectMeta, validateObjectMetaUpdate } from "@coxswain/apimachinery/validation";
import type { FieldErrors } from "@coxswain/kinds";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { runSteps } from "@coxswain/runtime/steps";
import { groupKindOf } from "../group-kind.js";
import type { ObjectDeps } from "../object-deps.js";
import type { WriteScope } from "../write-scope.js";
import type { PendingWrite } from "./pending-write.js";
import { updateStrategyOf } from "./prepare.js";

const metadata = fieldPath("metadata");

/** Refuses what is invalid, with all that is wrong with it. */
export function validate(write: PendingWrite): Soon<void> {
  const { current } = write;
  return current ? validateChanged(write, current.object) : validateNew(write);
}

/** What is wrong with the metadata of a new object is reported only where nothing else is. */
function validateNew({ deps, storedScope: scope, object, context }: PendingWrite): Soon<void> {
  const { kind } = scope;
  return whenKnown(resultOf(kind.strategy.validateCreate?.(object, context), deps, scope), (own) => {
    const authorize = own.length > 0 ? undefined : deps.authorizationOf?.(kind)?.authorizeValid;
    return whenKnown<readonly FieldError[], void>(
      authorize ? authorize({ object, old: undefined, scope }) : own,
      (errors) => {
        refuseIfAny(errors, scope, object);
        refuseIfAny(metadataErrors(scope, object), scope, object);
      },
    );
  });
}

async function validateChanged(
  { deps, storedScope: scope, object, context }: PendingWrite,
  old: KubernetesObject,
): Promise<void> {
  const own = await resultOf(updateStrategyOf(scope).validateUpdate?.(object, old, context), deps, scope);
  const authorization = deps.authorizationOf?.(scope.kind);
  const isView = scope.view !== "";
  const ofView = (isView && (await authorization?.authorizeView?.({ object, old, scope }))) || [];
  const ofValid =
    (!isView && own.length === 0 && (await authorization?.authorizeValid?.({ object, old, scope }))) || [];
  const ofUpdate = validateObjectMetaUpdate(object.metadata, old.metadata, metadata);
  refuseIfAny([...metadataErrors(scope, object), ...ofUpdate, ...ofView, ...own, ...ofValid], scope, object);
}

const resultOf = (
  errors: FieldErrors | undefined,
  { runtime }: ObjectDeps,
  scope: WriteScope,
): Soon<readonly FieldError[]> =>
  errors === undefined || Array.isArray(errors) ? (errors ?? []) : runSteps(runtime.scheduler, errors, scope.ending);

const metadataErrors = ({ kind: { namespaced } }: WriteScope, object: KubernetesObject): FieldError[] =>
  validateObjectMeta(object.metadata, { namespaced, checkName: checkPathSegmentName, path: metadata });

function refuseIfAny(errors: readonly FieldError[], scope: WriteScope, object: KubernetesObject): void {
  if (errors.length > 0) throw invalid(groupKindOf(scope, object), object.metadata.name ?? "", errors);
}
