import type { DeepReadonly } from "@coxswain/api";
import { builtInResources } from "@coxswain/api/resources";
import { walk } from "@coxswain/apimachinery/json";
import { formatGroupVersion, type KubernetesObject, parseGroupVersion } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { AnyKind, KindVersion } from "@coxswain/kinds";
import { relabelledVersion } from "./relabelled-version.js";

/**
 * A kind under the names of another of its versions: it reads what clients of that version send and writes what they get.
 * Nothing is stored or looked up as it; that is the hub's.
 */
export interface VersionKind extends AnyKind {
  readonly hub: AnyKind;
  /** Leaves what it is given as it is. */
  toHub(object: DeepReadonly<KubernetesObject>): KubernetesObject;
  /** Leaves what it is given as it is. */
  fromHub(object: DeepReadonly<KubernetesObject>): KubernetesObject;
}

export const isVersionKind = (kind: AnyKind): kind is VersionKind => "hub" in kind;

const known = new WeakMap<AnyKind, Map<string, VersionKind | undefined>>();

/** A kind in another version: one that it declares, or one that has the same shape. Each is made once. */
export function findVersionKind(
  hub: AnyKind,
  { group, version }: { readonly group: string; readonly version: string },
): VersionKind | undefined {
  const name = `${group}/${version}`;
  let own = known.get(hub);
  if (!own) known.set(hub, (own = new Map()));
  if (!own.has(name)) {
    const found =
      hub.versions?.find((each) => each.group === group && each.version === version) ??
      (group === hub.group ? relabelledVersion(hub, version) : undefined);
    own.set(name, found && versionKind(hub, found));
  }
  return own.get(name);
}

const names = new WeakMap<AnyKind, readonly string[]>();

/** The apiVersions in which objects of a kind may be written, served or not. */
export function apiVersionsOf(hub: AnyKind): readonly string[] {
  let found = names.get(hub);
  if (!found) {
    const inTables = builtInResources.filter(({ group, resource }) => group === hub.group && resource === hub.resource);
    names.set(hub, (found = [...new Set([hub, ...(hub.versions ?? []), ...inTables].map(formatGroupVersion))]));
  }
  return found;
}

function versionKind(hub: AnyKind, version: KindVersion): VersionKind {
  const { columns } = hub;
  const toHub = (object: DeepReadonly<KubernetesObject>) => version.toHub(object) as KubernetesObject;
  const names = version.selectableFields && new Map(Object.entries(version.selectableFields));
  return {
    group: version.group,
    version: version.version,
    kind: hub.kind,
    listKind: hub.listKind,
    resource: hub.resource,
    namespaced: hub.namespaced,
    storagePrefix: hub.storagePrefix,
    ...(hub.types && { types: hub.types }),
    facts: version.facts,
    strategy: hub.strategy,
    views: hub.views,
    ...(version.setDefaults && { setDefaults: version.setDefaults }),
    columns: {
      columns: columns.columns,
      cells: (object, now, effort) => columns.cells(toHub(object), now, effort),
      ...(columns.conditions && { conditions: (object) => columns.conditions?.(toHub(object)) ?? [] }),
    },
    ...(names
      ? { selectableFields: { names: [], values: () => ({}), convert: (field) => names.get(field) } }
      : hub.selectableFields && { selectableFields: hub.selectableFields }),
    ...(hub.returnsDeletedObject && { returnsDeletedObject: true }),
    hub,
    toHub,
    fromHub: (object) => version.fromHub(object),
    get schema() {
      return version.schema;
    },
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** An object in whichever version its apiVersion names, in another. Undefined: the kind has no such version. */
export function convertTo(
  hub: AnyKind,
  object: JsonObject,
  apiVersion: string,
): { object: JsonObject; node: SchemaNode } | undefined {
  const from = formOf(hub, object.apiVersion as string);
  const to = formOf(hub, apiVersion);
  if (!from || !to) return undefined;
  if (from === to) return { object, node: to.schema };
  const canonical = walk(object, from.schema) as KubernetesObject;
  const asHub = isVersionKind(from) ? from.toHub(canonical) : canonical;
  return { object: (isVersionKind(to) ? to.fromHub(asHub) : asHub) as unknown as JsonObject, node: to.schema };
}

/** The kind in the version that an apiVersion names. */
export function formOf(hub: AnyKind, apiVersion: string): AnyKind | undefined {
  const of = parseGroupVersion(apiVersion);
  if (!of) return undefined;
  return of.group === hub.group && of.version === hub.version ? hub : findVersionKind(hub, of);
}
