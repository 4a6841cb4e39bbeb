import type { DeepReadonly } from "@coxswain/api";
import { walk } from "@coxswain/apimachinery/json";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import type { AnyKind, KindVersion } from "@coxswain/kinds";

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

const known = new WeakMap<KindVersion, VersionKind>();

/** The other versions of a kind; each is made once. */
export function versionKindsOf(hub: AnyKind): readonly VersionKind[] {
  return (hub.versions ?? []).map((version) => {
    let kind = known.get(version);
    if (!kind) known.set(version, (kind = versionKind(hub, version)));
    return kind;
  });
}

/** Each kind and its other versions. */
export const withVersions = (kinds: readonly AnyKind[]): AnyKind[] => kinds.flatMap((kind) => [kind, ...versionKindsOf(kind)]);

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
    strategy: hub.strategy,
    views: hub.views,
    ...(version.setDefaults && { setDefaults: version.setDefaults }),
    columns: {
      columns: columns.columns,
      cells: (object, now) => columns.cells(toHub(object), now),
      ...(columns.conditions && { conditions: (object) => columns.conditions?.(toHub(object)) ?? [] }),
    },
    ...(names ? { selectableFields: { names: [], values: () => ({}), convert: (field) => names.get(field) } } : hub.selectableFields && { selectableFields: hub.selectableFields }),
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

/** An object in whichever version it says it is, in another. Undefined: the kind has no such version. */
export function convertTo(hub: AnyKind, object: JsonObject, apiVersion: string): { object: JsonObject; node: SchemaNode } | undefined {
  const forms = [hub, ...versionKindsOf(hub)];
  const from = forms.find((form) => formatGroupVersion(form) === object.apiVersion);
  const to = forms.find((form) => formatGroupVersion(form) === apiVersion);
  if (!from || !to) return undefined;
  if (from === to) return { object, node: to.schema };
  const canonical = walk(object, from.schema) as KubernetesObject;
  const asHub = isVersionKind(from) ? from.toHub(canonical) : canonical;
  return { object: (isVersionKind(to) ? to.fromHub(asHub) : asHub) as unknown as JsonObject, node: to.schema };
}
