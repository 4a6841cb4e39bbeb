import { fieldPath, invalid as invalidField } from "@coxswain/apimachinery/field";
import { cloneJson, encodeJson, equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { parseResourceVersion } from "@coxswain/apimachinery/resource-version";
import { conflict, invalid, notFound, objectModified, StatusError } from "@coxswain/apimachinery/status";
import { checkPathSegmentName, validateObjectMeta, validateObjectMetaUpdate } from "@coxswain/apimachinery/validation";
import { runInSlices } from "@coxswain/runtime/steps";
import type { AnyKind, Strategy, StrategyContext, UpdateStrategy } from "@coxswain/kinds";
import { attributesOf } from "./admission-attributes.js";
import { resourceOf } from "../admission/admission.js";
import type { Companions } from "./companions.js";
import { prepareNew, refuseCreation } from "./create.js";
import { encodedObject, parseStored } from "../cache/encoded-object.js";
import { groupKindOf } from "./group-kind.js";
import { trackManagedFields, withEntries } from "./managed-fields.js";
import { keepSystemMetadata, matchNamespace } from "./metadata.js";
import type { ObjectDeps } from "./object-deps.js";
import { objectKey } from "../cache/object-key.js";
import { preconditionFailed } from "./precondition-failed.js";
import type { Projection } from "./projection.js";
import { dropRepeatedOwners } from "./repeated-owners.js";
import { betweenSteps } from "@coxswain/runtime/steps";
import { strategyContext } from "./strategy-context.js";
import { type Current, type Decision, writeObject, type Written } from "./write-loop.js";
import type { WriteScope } from "./write-scope.js";

export interface Update {
  /**
   * The wished-for state, given what is there now: a private copy, in canonical form, defaults set, its managed fields as
   * they are to be where `fieldsTracked` is set. Called again on every lost race.
   */
  next(current: KubernetesObject | undefined): Promise<KubernetesObject>;
  /** The caller computed managed fields itself (server-side apply). */
  readonly fieldsTracked?: boolean;
  /** Whether a missing object is created: by the kind's strategy, or always (server-side apply). */
  readonly forceCreate?: boolean;
  /** Throws when this user may not create: a PUT that creates is a create. */
  mayCreate?(): Promise<void>;
  readonly preconditions?: { readonly uid?: string };
}

/** Replaces or patches an object, or one of its views. */
export async function updateObject(deps: ObjectDeps, scope: WriteScope, update: Update): Promise<Written> {
  await deps.loadFor?.(scope.kind);
  if (scope.projection) return updateProjected(deps, scope, scope.projection, update);
  const key = objectKey(scope.kind, scope.namespace, scope.name);
  return writeObject({
    deps,
    scope,
    key,
    decide: (current) => (current ? replace(deps, scope, update, current) : create(deps, scope, update)),
  });
}

/** The client's side of the write (patch, managed fields, mutating admission) sees the projection; the kind's own rules see the object. */
async function updateProjected(
  deps: ObjectDeps,
  scope: WriteScope,
  { stored, project, restore }: Projection,
  update: Update,
): Promise<Written> {
  const storedScope = { ...scope, kind: stored, view: "" };
  async function decide(current: Current | undefined): Promise<Decision> {
    if (!current) throw notFound(resourceOf(stored), scope.name);
    checkPreconditions(storedScope, update, current.object);
    const old = project(current.object);
    const wished = await update.next(old);
    const seen = update.fieldsTracked ? wished : await trackManagedFields(deps, scope, old, wished);
    const attributes = attributesOf(scope, { operation: "UPDATE", object: seen, old, kind: stored });
    await deps.admission.admit(attributes);
    const admitted = attributes.object ?? seen;
    warnOfRepeatedOwners(scope, admitted);
    const object = restore(cloneJson(current.object), admitted);
    checkResourceVersion(storedScope, object, current);
    const context = strategyContext(deps, storedScope);
    prepareChanged(storedScope, object, current.object, context);
    const prepared = await checkChanged(storedScope, object, current.object, context);
    await deps.admission.validate({
      ...attributes,
      object: withEntries(project(prepared), []),
      old: withEntries(old, []),
    });
    return mayGo(storedScope, prepared, current.object)
      ? { do: "remove", object: prepared, answer: "old revision" }
      : { do: "put", object: prepared };
  }
  const key = objectKey(stored, scope.namespace, scope.name);
  const written = await writeObject({ deps, scope: storedScope, key, decide });
  const object = withEntries(project(parseStored(written.object.bytes)), []);
  return { done: written.done, object: encodedObject(encodeJson(object, scope.kind.schema)) };
}

async function create(deps: ObjectDeps, scope: WriteScope, update: Update): Promise<Decision> {
  const { kind } = scope;
  // A status may create as well: upstream asks the kind's own strategy there too, and so a service comes to be.
  const mayCreate =
    (scope.view === "" && update.forceCreate) ||
    ((scope.view === "" || scope.view === "status") && kind.strategy.allowCreateOnUpdate);
  if (!mayCreate) throw notFound(resourceOf(scope.version ?? kind), scope.name);
  refuseCreation(scope, scope.name);
  const size = scope.sentBytes ?? 0;
  await betweenSteps(size);
  const wished = await update.next(undefined);
  await betweenSteps(size);
  const tracked = update.fieldsTracked ? wished : await trackManagedFields(deps, scope, undefined, wished);
  const attributes = attributesOf(scope, { operation: "CREATE", object: tracked });
  await deps.admission.admit(attributes);
  const object = attributes.object ?? tracked;
  warnOfRepeatedOwners(scope, object);
  revisionOf(object);
  delete object.metadata.resourceVersion; // there is nothing it could be compared with
  const companions = await deps.companionsOf?.(kind)?.create(object, scope);
  await betweenSteps(size);
  const prepared = await prepareNew(deps, scope, object);
  await betweenSteps(size);
  await update.mayCreate?.();
  await deps.admission.validate({ ...attributes, object: prepared });
  return { do: "put", object: prepared, ...(companions && { companions }) };
}

async function replace(deps: ObjectDeps, scope: WriteScope, update: Update, current: Current): Promise<Decision> {
  const old = current.object;
  const size = Math.max(scope.sentBytes ?? 0, current.bytes.length);
  await betweenSteps(size);
  checkPreconditions(scope, update, old);
  const wished = await update.next(old);
  await betweenSteps(size);
  const tracked = update.fieldsTracked ? wished : await trackManagedFields(deps, scope, old, wished);
  const attributes = attributesOf(scope, { operation: "UPDATE", object: tracked, old });
  await deps.admission.admit(attributes);
  const object = attributes.object ?? tracked;
  warnOfRepeatedOwners(scope, object);
  checkResourceVersion(scope, object, current);

  const beside = deps.companionsOf?.(scope.kind);
  const companions = scope.view === "" ? await beside?.update(object, old, scope) : undefined;
  const context = strategyContext(deps, scope);
  await betweenSteps(size);
  prepareChanged(scope, object, old, context);
  const prepared = await checkChanged(scope, object, old, context, beside);
  await betweenSteps(size);
  await deps.admission.validate({ ...attributes, object: prepared });
  if (!mayGo(scope, prepared, old)) return { do: "put", object: prepared, ...(companions && { companions }) };
  const left = await beside?.remove(old);
  return { do: "remove", object: prepared, answer: "old revision", ...(left && { companions: left }) };
}

function warnOfRepeatedOwners(scope: WriteScope, { metadata }: KubernetesObject): void {
  const repeated = dropRepeatedOwners(metadata, "after admission");
  if (repeated) scope.warn(repeated);
}

const strategyOf = ({ kind, view }: WriteScope): UpdateStrategy<KubernetesObject> =>
  view === "" ? kind.strategy : (kind.views[view] as UpdateStrategy<KubernetesObject>);

function prepareChanged(
  scope: WriteScope,
  object: KubernetesObject,
  old: KubernetesObject,
  context: StrategyContext,
): void {
  matchNamespace(object.metadata, scope.kind.namespaced ? scope.namespace : "");
  if (old.metadata.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = old.metadata.generation;
  strategyOf(scope).prepareForUpdate?.(object, old, context);
  keepSystemMetadata(object.metadata, old.metadata);
  delete object.metadata.selfLink;
}

/** `beside`: checks that are not the kind's own. */
async function checkChanged(
  scope: WriteScope,
  object: KubernetesObject,
  old: KubernetesObject,
  context: StrategyContext,
  beside?: Companions,
): Promise<KubernetesObject> {
  const { kind } = scope;
  const strategy = strategyOf(scope);
  const steps = strategy.validateUpdateInSteps?.(object, old, context);
  const own = steps ? await runInSlices(steps, scope) : (strategy.validateUpdate?.(object, old, context) ?? []);
  const isView = scope.view !== "";
  const seen = (isView && (await beside?.checkView?.(object, old, scope))) || [];
  const checked = (!isView && own.length === 0 && (await beside?.checkObject?.(object, old, scope))) || [];
  const path = fieldPath("metadata");
  const problems = [
    ...validateObjectMeta(object.metadata, { namespaced: kind.namespaced, checkName: checkPathSegmentName, path }),
    ...validateObjectMetaUpdate(object.metadata, old.metadata, path),
    ...seen,
    ...own,
    ...checked,
  ];
  if (problems.length > 0) throw invalid(groupKindOf(scope, object), object.metadata.name ?? "", problems);
  await betweenSteps(scope.sentBytes ?? 0);
  for (const warning of strategy.warningsOnUpdate?.(object, old, context) ?? []) scope.warn(warning);
  (strategy.canonicalize ?? kind.strategy.canonicalize)?.(object);
  return keepTimesOfUnchanged(object, old);
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

/** A deleting object whose last finalizer was taken goes with that very write. */
function mayGo({ kind }: WriteScope, object: KubernetesObject, old: KubernetesObject): boolean {
  const strategy = kind.strategy as Strategy<KubernetesObject>;
  if ((object.metadata.finalizers?.length ?? 0) > 0) return false;
  // The old state decides whether a deletion is under way, and that no grace is left.
  if (!old.metadata.deletionTimestamp || (old.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  return strategy.readyToDelete?.(object) ?? true;
}

function checkResourceVersion({ kind, version, name }: WriteScope, object: KubernetesObject, current: Current): void {
  const wanted = revisionOf(object);
  if (wanted === current.revision) return;
  if (wanted === 0) {
    if (kind.strategy.allowUnconditionalUpdate ?? true) {
      object.metadata.resourceVersion = String(current.revision);
      return;
    }
    throw resourceVersionNeeded(kind, name);
  }
  throw conflict(resourceOf(version ?? kind), name, objectModified);
}

const resourceVersionNeeded = ({ group, resource }: AnyKind, name: string): StatusError =>
  invalid({ group, kind: resource }, name, [
    invalidField(fieldPath("metadata", "resourceVersion"), 0, "must be specified for an update"),
  ]);

/** 0: none. What is no revision is a 500 upstream. */
function revisionOf({ metadata }: KubernetesObject): number {
  const { revision, error } = parseResourceVersion(metadata.resourceVersion ?? "");
  if (error) throw new StatusError({ code: 500, reason: "", message: error.detail });
  return revision;
}

function checkPreconditions(scope: WriteScope, { preconditions }: Update, old: KubernetesObject): void {
  const wanted = preconditions?.uid;
  if (wanted === undefined || wanted === old.metadata.uid) return;
  throw preconditionFailed(scope, `UID in precondition: ${wanted}, UID in object meta: ${old.metadata.uid ?? ""}`);
}
