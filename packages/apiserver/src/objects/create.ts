import { cloneJson } from "@coxswain/apimachinery/json";
import { generateName, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { randomUuid } from "@coxswain/apimachinery/random";
import { alreadyExists, generateNameConflict, invalid, StatusError } from "@coxswain/apimachinery/status";
import { fieldPath } from "@coxswain/apimachinery/field";
import { checkPathSegmentName, validateObjectMeta } from "@coxswain/apimachinery/validation";
import type { AnyKind, StrategyContext } from "@coxswain/kinds";
import { type AdmissionAttributes, resourceOf } from "../admission/admission.js";
import { type Soon, whenKnown } from "../runtime/soon.js";
import type { Companions, CompanionWrites } from "./companions.js";
import { trackNewObject } from "./managed-fields.js";
import { fillSystemMetadata, matchNamespace, wipeSystemMetadata } from "./metadata.js";
import type { ObjectDeps } from "./object-deps.js";
import { objectKey } from "../cache/object-key.js";
import { dropRepeatedOwners } from "./repeated-owners.js";
import { strategyContext } from "./strategy-context.js";
import { type Current, type Decision, write, type Written } from "./write-loop.js";
import type { WriteScope } from "./write-scope.js";

/** A generated name that is taken is tried again with another, this often. */
const nameAttempts = 8;

/** Creates `object`, a private copy in canonical form with its defaults set. */
export function createObject(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): Soon<Written> {
  const { kind, namespace } = scope;
  const expectedNamespace = kind.namespaced ? namespace : "";
  wipeSystemMetadata(object.metadata);
  matchNamespace(object.metadata, expectedNamespace);
  warnOf(scope, dropRepeatedOwners(object.metadata, "before admission"));
  trackNewObject(deps, scope, object);
  const name = scope.name || (object.metadata.name ?? "");
  const attributes = {
    operation: "CREATE",
    kind,
    subresource: scope.view,
    namespace: namespaceSeen(scope, name),
    name,
    object,
    old: undefined,
    user: scope.user,
    dryRun: scope.dryRun,
    request: scope,
  } as const;
  return whenKnown(deps.admission.admit(attributes), () => {
    warnOf(scope, dropRepeatedOwners(object.metadata, "after admission"));
    return createAdmitted(deps, scope, { object, attributes, companions: deps.companionsOf?.(kind) }, 1);
  });
}

/** An object that has passed mutating admission. */
interface Admitted {
  readonly object: KubernetesObject;
  readonly attributes: AdmissionAttributes;
  readonly companions: Companions | undefined;
}

function createAdmitted(deps: ObjectDeps, scope: WriteScope, admitted: Admitted, attempt: number): Soon<Written> {
  const { kind } = scope;
  const { metadata } = admitted.object;
  const generated = !metadata.name && metadata.generateName ? metadata.generateName : undefined;
  const given = generated
    ? generateName(generated, deps.random)
    : metadata.name || (kind.strategy.namedByUuid ? randomUuid(deps.random) : "");
  const isTriedAgain = generated !== undefined && attempt < nameAttempts;
  return whenKnown(
    put(deps, scope, given, () => newObject(deps, scope, admitted, given, isTriedAgain)),
    (written) => {
      if (!("taken" in written)) return written;
      if (!generated) throw nameTaken(alreadyExists(resourceOf(scope.version ?? kind), given), written.taken);
      if (!isTriedAgain) throw generateNameConflict(resourceOf(scope.version ?? kind), given, 1);
      return createAdmitted(deps, scope, admitted, attempt + 1);
    },
  );
}

interface NewObject {
  readonly object: KubernetesObject;
  readonly companions: CompanionWrites | undefined;
}

/** The object under the name `given`, ready to be written. `isNeededAgain`: it may be made another time. */
function newObject(
  deps: ObjectDeps,
  scope: WriteScope,
  { object, attributes, companions }: Admitted,
  given: string,
  isNeededAgain: boolean,
): Soon<NewObject> {
  // Managed fields are never changed, so that all copies may hold the same.
  const candidate = companions || isNeededAgain ? cloneJson(object, object.metadata.managedFields) : object;
  if (given !== "") candidate.metadata.name = given;
  return whenKnown(companions?.create(candidate, scope), (beside) => {
    const prepared = prepareNew(deps, scope, candidate);
    return whenKnown(deps.admission.validate({ ...attributes, name: given, object: prepared }), () => ({
      object: prepared,
      companions: beside,
    }));
  });
}

/** What every new object goes through after mutating admission: the kind's preparation and all validation. */
export function prepareNew(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): KubernetesObject {
  const { kind } = scope;
  const context = strategyContext(deps, scope);
  prepare(deps, scope, object, context);
  validateNew(kind, object, context);
  for (const warning of kind.strategy.warningsOnCreate?.(object, context) ?? []) scope.warn(warning);
  kind.strategy.canonicalize?.(object);
  // It is upstream's store that minds, which a dry run does not get to, and only what it can read.
  if (/^0*[1-9]\d*$/.test(object.metadata.resourceVersion ?? "") && !scope.dryRun)
    throw new StatusError({
      code: 500,
      reason: "",
      message: "resourceVersion should not be set on objects to be created",
    });
  return object;
}

/** The same for what the server makes itself, which a test knows to be valid: a starting server has no time to check it again. */
export function prepareOwn(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): KubernetesObject {
  prepare(deps, scope, object, strategyContext(deps, scope));
  scope.kind.strategy.canonicalize?.(object);
  return object;
}

function prepare(
  deps: ObjectDeps,
  { kind, namespace }: WriteScope,
  object: KubernetesObject,
  context: StrategyContext,
): void {
  fillSystemMetadata(object.metadata, context.now, deps.random);
  matchNamespace(object.metadata, kind.namespaced ? namespace : "");
  kind.strategy.prepareForCreate?.(object, context);
}

function validateNew(kind: AnyKind, object: KubernetesObject, context: StrategyContext): void {
  const name = object.metadata.name ?? "";
  const groupKind = { group: kind.group, kind: kind.kind };
  const problems = kind.strategy.validateCreate?.(object, context) ?? [];
  if (problems.length > 0) throw invalid(groupKind, name, problems);
  const general = validateObjectMeta(object.metadata, {
    namespaced: kind.namespaced,
    checkName: checkPathSegmentName,
    path: fieldPath("metadata"),
  });
  if (general.length > 0) throw invalid(groupKind, name, general);
}

/** `taken`: by this object. `prepare` is asked first, so that what is wrong with the object is said before that; and again when a companion lost a race. */
function put(
  deps: ObjectDeps,
  scope: WriteScope,
  name: string,
  prepare: () => Soon<NewObject>,
): Soon<Written | { readonly taken: Current }> {
  let taken: Current | undefined;
  let ready: NewObject | undefined;
  const decide = (current: Current | undefined): Soon<Decision> => {
    taken = current;
    if (current && ready) return { do: "keep", object: ready.object };
    return whenKnown(prepare(), (made): Decision => {
      ready = made;
      return current
        ? { do: "keep", object: made.object }
        : { do: "put", object: made.object, companions: made.companions };
    });
  };
  return whenKnown(write(deps, scope, objectKey(scope.kind, scope.namespace, name), decide), (written) =>
    taken ? { taken } : written,
  );
}

/** Who waits for the name to come free is told that it will. */
function nameTaken(error: StatusError, { object }: Current): StatusError {
  if (object.metadata.deletionTimestamp === undefined) return error;
  const { code, reason = "", details = {} } = error.status;
  return new StatusError({ code, reason, details, message: `object is being deleted: ${error.message}` });
}

/** Admission sees a namespace as if it were inside itself. */
const namespaceSeen = ({ kind, namespace }: WriteScope, name: string): string =>
  kind.group === "" && kind.kind === "Namespace" ? name : namespace;

const warnOf = (scope: WriteScope, warning: string | undefined): void => {
  if (warning !== undefined) scope.warn(warning);
};
