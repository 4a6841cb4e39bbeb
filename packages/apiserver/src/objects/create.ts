import { cloneJson } from "@coxswain/apimachinery/json";
import { generateName, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { randomUuid } from "@coxswain/runtime/random";
import { alreadyExists, forbidden, generateNameConflict, invalid, StatusError } from "@coxswain/apimachinery/status";
import { fieldPath } from "@coxswain/apimachinery/field";
import { checkPathSegmentName, validateObjectMeta } from "@coxswain/apimachinery/validation";
import { runInSlices } from "@coxswain/runtime/steps";
import type { StrategyContext } from "@coxswain/kinds";
import { attributesOf } from "./admission-attributes.js";
import { type AdmissionAttributes, resourceOf } from "../admission/admission.js";
import type { Companions, CompanionWrites } from "./companions.js";
import { trackNewObject } from "./managed-fields.js";
import { groupKindOf } from "./group-kind.js";
import { fillSystemMetadata, matchNamespace, wipeSystemMetadata } from "./metadata.js";
import type { ObjectDeps } from "./object-deps.js";
import { objectKey } from "../cache/object-key.js";
import { dropRepeatedOwners } from "./repeated-owners.js";
import { betweenSteps } from "@coxswain/runtime/steps";
import { strategyContext } from "./strategy-context.js";
import { type Current, type Decision, writeObject, type Written } from "./write-loop.js";
import type { WriteScope } from "./write-scope.js";

/** A generated name that is taken is tried again with another, this often. */
const nameAttempts = 8;

/** Creates `object`, a private copy in canonical form with its defaults set. */
export async function createObject(deps: ObjectDeps, scope: WriteScope, object: KubernetesObject): Promise<Written> {
  const { kind, namespace } = scope;
  await deps.loadFor?.(kind);
  refuseCreation(scope, scope.name || (object.metadata.name ?? ""));
  wipeSystemMetadata(object.metadata);
  matchNamespace(object.metadata, kind.namespaced ? namespace : "");
  warnOf(scope, dropRepeatedOwners(object.metadata, "before admission"));
  const size = scope.sentBytes ?? 0;
  await betweenSteps(size);
  await trackNewObject(deps, scope, object);
  await betweenSteps(size);
  const name = scope.name || (object.metadata.name ?? "");
  const attributes = attributesOf(scope, { operation: "CREATE", object, name });
  await deps.admission.admit(attributes);
  const admitted = attributes.object ?? object;
  warnOf(scope, dropRepeatedOwners(admitted.metadata, "after admission"));
  const creation: Creation = { deps, scope, object: admitted, attributes, companions: deps.companionsOf?.(kind) };
  const { generateName: prefix } = admitted.metadata;
  return !admitted.metadata.name && prefix ? createGenerated(creation, prefix) : createNamed(creation);
}

export function refuseCreation({ kind }: WriteScope, name: string): void {
  if (kind.refuseCreation !== undefined) throw forbidden(resourceOf(kind), name, kind.refuseCreation);
}

/** A new object that has passed mutating admission. */
interface Creation {
  readonly deps: ObjectDeps;
  readonly scope: WriteScope;
  readonly object: KubernetesObject;
  readonly attributes: AdmissionAttributes;
  readonly companions: Companions | undefined;
}

async function createNamed(creation: Creation): Promise<Written> {
  const { deps, scope, object } = creation;
  const { kind } = scope;
  const name = object.metadata.name || (kind.strategy.namedByUuid ? randomUuid(deps.random) : "");
  const written = await putNew(creation, { name, isLastAttempt: true });
  if ("taken" in written) throw nameTaken(alreadyExists(resourceOf(scope.version ?? kind), name), written.taken);
  return written;
}

async function createGenerated(creation: Creation, prefix: string): Promise<Written> {
  const { deps, scope } = creation;
  for (let attempt = 1; ; attempt++) {
    const name = generateName(prefix, deps.random);
    const isLastAttempt = attempt === nameAttempts;
    const written = await putNew(creation, { name, isLastAttempt });
    if (!("taken" in written)) return written;
    if (isLastAttempt) throw generateNameConflict(resourceOf(scope.version ?? scope.kind), name, 1);
  }
}

interface NewObject {
  readonly object: KubernetesObject;
  readonly companions: CompanionWrites | undefined;
}

/** One attempt at writing the object under a name. */
interface Attempt {
  readonly name: string;
  /** The object is not needed again: it need not be copied. */
  readonly isLastAttempt: boolean;
}

/** The object under its name, ready to be written. */
async function newObject(
  { deps, scope, object, attributes, companions }: Creation,
  { name, isLastAttempt }: Attempt,
): Promise<NewObject> {
  // Managed fields are never changed, so that all copies may hold the same.
  const candidate = companions || !isLastAttempt ? cloneJson(object, object.metadata.managedFields) : object;
  if (name !== "") candidate.metadata.name = name;
  const beside = await companions?.create(candidate, scope);
  await betweenSteps(scope.sentBytes ?? 0);
  const prepared = await prepareNew(deps, scope, candidate);
  await betweenSteps(scope.sentBytes ?? 0);
  await deps.admission.validate({ ...attributes, name, object: prepared });
  return { object: prepared, companions: beside };
}

/** What every new object goes through after mutating admission: the kind's preparation and all validation. */
export async function prepareNew(
  deps: ObjectDeps,
  scope: WriteScope,
  object: KubernetesObject,
): Promise<KubernetesObject> {
  const { kind } = scope;
  const context = strategyContext(deps, scope);
  prepare(deps, scope, object, context);
  await validateNew(deps, scope, object, context);
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

async function validateNew(
  deps: ObjectDeps,
  scope: WriteScope,
  object: KubernetesObject,
  context: StrategyContext,
): Promise<void> {
  const { kind } = scope;
  const name = object.metadata.name ?? "";
  const groupKind = groupKindOf(scope, object);
  const steps = kind.strategy.validateCreateInSteps?.(object, context);
  const own = steps ? await runInSlices(steps, scope) : (kind.strategy.validateCreate?.(object, context) ?? []);
  const check = own.length > 0 ? undefined : deps.companionsOf?.(kind)?.checkObject;
  const problems = check ? await check(object, undefined, scope) : own;
  if (problems.length > 0) throw invalid(groupKind, name, problems);
  const general = validateObjectMeta(object.metadata, {
    namespaced: kind.namespaced,
    checkName: checkPathSegmentName,
    path: fieldPath("metadata"),
  });
  if (general.length > 0) throw invalid(groupKind, name, general);
}

/** `taken`: by this object. The new object is prepared first all the same, so that what is wrong with it is reported before that. */
async function putNew(
  creation: Creation,
  attempt: Attempt,
): Promise<Written | { readonly taken: Current | "unreadable" }> {
  const { deps, scope } = creation;
  let taken: Current | undefined;
  let ready: NewObject | undefined;
  async function decide(current: Current | undefined): Promise<Decision> {
    taken = current;
    // Prepared again only when a companion lost a race.
    if (!current || !ready) ready = await newObject(creation, attempt);
    return current ? { do: "keep", object: ready.object } : { do: "put", ...ready };
  }
  const key = objectKey(scope.kind, scope.namespace, attempt.name);
  if (deps.feed.cacheOf(scope.kind).unreadable.has(key)) {
    await newObject(creation, attempt);
    return { taken: "unreadable" };
  }
  const written = await writeObject({ deps, scope, key, decide });
  return taken ? { taken } : written;
}

/** A client that waits for the name to become free can see that it will. */
function nameTaken(error: StatusError, taken: Current | "unreadable"): StatusError {
  if (taken === "unreadable" || taken.object.metadata.deletionTimestamp === undefined) return error;
  const { code, reason = "", details = {} } = error.status;
  return new StatusError({ code, reason, details, message: `object is being deleted: ${error.message}` });
}

const warnOf = (scope: WriteScope, warning: string | undefined): void => {
  if (warning !== undefined) scope.warn(warning);
};
