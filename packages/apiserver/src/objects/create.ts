import { cloneJson } from "@coxswain/apimachinery/json";
import { generateName, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { randomUuid } from "@coxswain/apimachinery/random";
import { alreadyExists, generateNameConflict, invalid, StatusError } from "@coxswain/apimachinery/status";
import { fieldPath } from "@coxswain/apimachinery/field";
import { checkPathSegmentName, validateObjectMeta } from "@coxswain/apimachinery/validation";
import type { AnyKind, StrategyContext } from "@coxswain/kinds";
import { resourceOf } from "../admission/admission.js";
import type { CompanionWrites } from "./companions.js";
import { trackNewObject } from "./managed-fields.js";
import { fillSystemMetadata, matchNamespace, wipeSystemMetadata } from "./metadata.js";
import type { ObjectDeps } from "./object-deps.js";
import { objectKey } from "./object-key.js";
import { dropRepeatedOwners } from "./repeated-owners.js";
import { strategyContext } from "./strategy-context.js";
import { type Current, write, type Written } from "./write-loop.js";
import type { WriteScope } from "./write-scope.js";

/** A generated name that is taken is tried again with another, this often. */
const nameAttempts = 8;

/** Creates `object`, a private copy in canonical form with its defaults set. */
export async function createObject(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): Promise<Written> {
  const { kind, namespace } = scope;
  const expectedNamespace = kind.namespaced ? namespace : "";
  wipeSystemMetadata(object.metadata);
  matchNamespace(object.metadata, expectedNamespace);
  warnOf(scope, dropRepeatedOwners(object.metadata, "before admission"));
  trackNewObject(deps, scope, object);
  const name = scope.name || (object.metadata.name ?? "");
  const attributes = { operation: "CREATE", kind, subresource: scope.view, namespace: namespaceSeen(scope, name), name, object, old: undefined, user: scope.user, dryRun: scope.dryRun, request: scope } as const;
  await deps.admission.admit(attributes);
  warnOf(scope, dropRepeatedOwners(object.metadata, "after admission"));

  const companions = deps.companionsOf?.(kind);
  const generated = !object.metadata.name && object.metadata.generateName ? object.metadata.generateName : undefined;
  for (let attempt = 1; ; attempt++) {
    const given = generated ? generateName(generated, deps.random) : object.metadata.name || (kind.strategy.namedByUuid ? randomUuid(deps.random) : "");
    const prepare = async (): Promise<NewObject> => {
      // Managed fields are never changed, so that all copies may hold the same.
      const candidate = companions || (generated && attempt < nameAttempts) ? cloneJson(object, object.metadata.managedFields) : object;
      if (given !== "") candidate.metadata.name = given;
      const beside = await companions?.create(candidate, scope);
      const prepared = prepareNew(deps, scope, candidate);
      await deps.admission.validate({ ...attributes, name: given, object: prepared });
      return { object: prepared, companions: beside };
    };
    const written = await put(deps, scope, given, prepare);
    if (!("taken" in written)) return written;
    if (!generated) throw nameTaken(alreadyExists(resourceOf(scope.version ?? kind), given), written.taken);
    if (attempt >= nameAttempts) throw generateNameConflict(resourceOf(scope.version ?? kind), given, 1);
  }
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
  if (/^0*[1-9]\d*$/.test(object.metadata.resourceVersion ?? "") && !scope.dryRun) throw new StatusError({ code: 500, reason: "", message: "resourceVersion should not be set on objects to be created" });
  return object;
}

/** The same for what the server makes itself, which a test knows to be valid: a starting server has no time to check it again. */
export function prepareOwn(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): KubernetesObject {
  prepare(deps, scope, object, strategyContext(deps, scope));
  scope.kind.strategy.canonicalize?.(object);
  return object;
}

function prepare(deps: ObjectDeps, { kind, namespace }: WriteScope, object: KubernetesObject, context: StrategyContext): void {
  fillSystemMetadata(object.metadata, context.now, deps.random);
  matchNamespace(object.metadata, kind.namespaced ? namespace : "");
  kind.strategy.prepareForCreate?.(object, context);
}

function validateNew(kind: AnyKind, object: KubernetesObject, context: StrategyContext): void {
  const name = object.metadata.name ?? "";
  const groupKind = { group: kind.group, kind: kind.kind };
  const problems = kind.strategy.validateCreate?.(object, context) ?? [];
  if (problems.length > 0) throw invalid(groupKind, name, problems);
  const general = validateObjectMeta(object.metadata, { namespaced: kind.namespaced, checkName: checkPathSegmentName, path: fieldPath("metadata") });
  if (general.length > 0) throw invalid(groupKind, name, general);
}

interface NewObject {
  readonly object: KubernetesObject;
  readonly companions: CompanionWrites | undefined;
}

/** `taken`: by this object. `prepare` is asked first, so that what is wrong with the object is said before that; and again when a companion lost a race. */
async function put(deps: ObjectDeps, scope: WriteScope, name: string, prepare: () => Promise<NewObject>): Promise<Written | { readonly taken: Current }> {
  let taken: Current | undefined;
  let ready: NewObject | undefined;
  const written = await write(deps, scope, objectKey(scope.kind, scope.namespace, name), async (current) => {
    taken = current;
    if (current && ready) return { do: "keep", object: ready.object };
    ready = await prepare();
    return current ? { do: "keep", object: ready.object } : { do: "put", object: ready.object, companions: ready.companions };
  });
  return taken ? { taken } : written;
}

/** Who waits for the name to come free is told that it will. */
function nameTaken(error: StatusError, { object }: Current): StatusError {
  if (object.metadata.deletionTimestamp === undefined) return error;
  const { code, reason = "", details = {} } = error.status;
  return new StatusError({ code, reason, details, message: `object is being deleted: ${error.message}` });
}

/** Admission sees a namespace as if it were inside itself. */
const namespaceSeen = ({ kind, namespace }: WriteScope, name: string): string => (kind.group === "" && kind.kind === "Namespace" ? name : namespace);

const warnOf = (scope: WriteScope, warning: string | undefined): void => {
  if (warning !== undefined) scope.warn(warning);
};
