import {
  excludeFields,
  type FieldFilter,
  fieldElement,
  type ManagedFieldsEntry,
  setOf,
  type UpdateRequest,
  updateManagedFields,
  updateManagedFieldsInSteps,
  type VersionOptions,
} from "@coxswain/apimachinery/managed-fields";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";
import type { UpdateStrategy } from "@coxswain/kinds";
import { type Soon, whenKnown } from "@coxswain/runtime/soon";
import { runSteps, type Steps } from "@coxswain/runtime/steps";
import { apiVersionsOf, convertTo } from "../catalogue/version-kind.js";
import { withConversions } from "./convert-on-demand.js";
import { isLarge } from "./large-object.js";
import type { ObjectDeps } from "./object-deps.js";
import type { WriteScope } from "./write-scope.js";

type ManagedFields = NonNullable<KubernetesObject["metadata"]["managedFields"]>;

/**
 * Who owns what after an ordinary write: the writer owns what it changed, and those who owned it no longer do.
 *
 * @param bytes of the larger of both objects; by default, what was sent
 */
export function trackManagedFields(write: TrackedWrite, bytes = write.scope.sentBytes ?? 0): Soon<KubernetesObject> {
  const { deps, scope, next } = write;
  if (isOfAnotherKind(scope, next)) return withEntries(next, []);
  const engine: Engine<readonly ManagedFieldsEntry[]> = {
    atOnce: (versions) => updateManagedFields(requestOf(versions, write)),
    inSteps: (versions) => updateManagedFieldsInSteps(requestOf(versions, write)),
  };
  return whenKnown(withVersions(deps, scope, engine, bytes), (known) => withEntries(next, known));
}

/**
 * A body of another kind has no type by which fields are tracked; upstream then drops what was tracked before (managedfields/internal/fieldmanager.go,
 * `UpdateNoErrors`). The status of a custom resource can be written so: all but the status stays as it is stored.
 */
const isOfAnotherKind = ({ kind, version }: WriteScope, next: KubernetesObject): boolean =>
  next.kind !== undefined && next.kind !== "" && next.kind !== (version ?? kind).kind;

/** The same, at once, for objects of built-in kinds that the server itself makes: they are small. */
export function trackBuiltInFields(
  deps: ObjectDeps,
  scope: WriteScope,
  live: KubernetesObject | undefined,
  next: KubernetesObject,
): KubernetesObject {
  return withEntries(next, updateManagedFields(requestOf(versionOptions(scope), { deps, scope, live, next })));
}

interface TrackedWrite {
  readonly deps: ObjectDeps;
  readonly scope: WriteScope;
  readonly live: KubernetesObject | undefined;
  readonly next: KubernetesObject;
}

function requestOf(
  { apiVersion, node, convert, filters, checked }: Required<VersionOptions>,
  { deps, scope, live, next }: TrackedWrite,
): UpdateRequest {
  return {
    apiVersion,
    node,
    convert,
    filters,
    checked,
    live: live && withoutEntries(inRequestedVersion(scope, live)),
    next: withoutEntries(inRequestedVersion(scope, next)),
    manager: scope.manager,
    subresource: scope.view,
    time: formatTime(deps.runtime.clock.now()),
    entries: entriesOf(live),
    requested: next.metadata.managedFields,
  };
}

/** Server-side apply, or the tracking of other writes. */
export interface Engine<T> {
  atOnce(options: Required<VersionOptions>): T;
  /** The same for large objects: a generator for each node costs several times the work, so that small ones are never handled so. */
  inSteps(options: Required<VersionOptions>): Steps<T>;
}

/**
 * Runs an engine with what it needs to know of the kind. At once, unless it takes longer than a time slice or the kind's versions take time
 * to convert; conversions by a webhook begin the work anew when they have come.
 *
 * @param bytes of the larger object that it looks at
 */
export function withVersions<T>(
  { runtime }: Pick<ObjectDeps, "runtime">,
  scope: WriteScope,
  engine: Engine<T>,
  bytes: number,
): Soon<T> {
  const options = versionOptions(scope);
  const { storedForm } = scope.kind;
  const run = (given: Required<VersionOptions>): Soon<T> =>
    isLarge(bytes) ? runSteps(runtime.scheduler, engine.inSteps(given), scope.ending) : engine.atOnce(given);
  return storedForm ? withConversions(storedForm, (convert) => run({ ...options, convert })) : run(options);
}

/** By the kind or version that a client uses, then by view. */
const known = new WeakMap<object, Map<string, Required<VersionOptions>>>();

/** What the engines need to know of the kind: its type, its version, and which members this way in may own. */
export function versionOptions(scope: WriteScope): Required<VersionOptions> {
  const own = scope.version ?? scope.kind;
  let views = known.get(own);
  if (!views) known.set(own, (views = new Map()));
  let options = views.get(scope.view);
  if (!options) views.set(scope.view, (options = makeOptions(scope)));
  return options;
}

function makeOptions({ kind, version, view }: WriteScope): Required<VersionOptions> {
  const own = version ?? kind;
  const filter = filterOf(view === "" ? kind.strategy : (kind.views[view] as UpdateStrategy<unknown>));
  const apiVersion = formatGroupVersion(own);
  // A write of an Event in one of its groups drops the owners in the other: upstream's core group has types apart from all others.
  const inOwnGroup = (name: string): boolean => name.includes("/") === apiVersion.includes("/");
  return {
    apiVersion,
    node: own.applySchema ?? own.schema,
    checked: own.applySchema !== undefined,
    convert: (object, name) => (inOwnGroup(name) ? convertTo(kind, object, name) : undefined),
    filters: Object.fromEntries((kind.storedForm?.apiVersions ?? apiVersionsOf(kind)).map((name) => [name, filter])),
  };
}

const inRequestedVersion = ({ version }: WriteScope, object: KubernetesObject): KubernetesObject =>
  version ? version.fromHub(object) : object;

const filters = new WeakMap<object, FieldFilter>();

function filterOf(strategy: UpdateStrategy<unknown>): FieldFilter {
  let filter = filters.get(strategy);
  if (!filter)
    filters.set(
      strategy,
      (filter = excludeFields(setOf(...strategy.resetFields.map((path) => path.map(fieldElement))))),
    );
  return filter;
}

export const entriesOf = (object: KubernetesObject | undefined): readonly ManagedFieldsEntry[] =>
  (object?.metadata.managedFields ?? []) as readonly ManagedFieldsEntry[];

export function withoutEntries(object: KubernetesObject): Record<string, unknown> {
  return ("managedFields" in object.metadata ? withEntries(object, []) : object) as unknown as Record<string, unknown>;
}

export function withEntries(object: KubernetesObject, entries: readonly ManagedFieldsEntry[]): KubernetesObject {
  if (entries.length === 0) {
    const { managedFields: _, ...metadata } = object.metadata;
    return { ...object, metadata };
  }
  // Not a literal that begins with a spread: the metadata of each new object would have a hidden class of its own.
  const metadata = Object.assign({}, object.metadata, { managedFields: [...entries] as ManagedFields });
  return { ...object, metadata };
}
