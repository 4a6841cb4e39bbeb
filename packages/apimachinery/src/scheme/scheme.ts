import { quoteGo } from "../field/index.js";
import { formatGroupVersion, type GroupKind, type GroupVersion, type GroupVersionKind } from "../meta/group-version.js";
import { sortKubeVersions } from "../meta/kube-version.js";
import type { KubernetesObject } from "../meta/object-meta.js";
import { convertMetadataLabel, type FieldLabel, type FieldLabelConversion } from "./field-labels.js";

/**
 * One version of one kind. Versions convert through the hub, the one version that a group's code works with; a version
 * without conversions has the hub's form and differs in nothing but its name.
 */
export interface VersionDefinition {
  readonly gvk: GroupVersionKind;
  /** Exactly one version of a kind is. @default the only version */
  readonly hub?: boolean;
  /** The same in all versions of all groups, as Status: converting leaves it as it is. @default false */
  readonly unversioned?: boolean;
  /** Fills in what the user left out. It changes the object it is given, which is the caller's own. */
  readonly setDefaults?: (object: KubernetesObject) => void;
  /** Must not change what it is given; unchanged parts may be shared. */
  readonly toHub?: (object: KubernetesObject) => KubernetesObject;
  /** Must not change what it is given; unchanged parts may be shared. */
  readonly fromHub?: (hub: KubernetesObject) => KubernetesObject;
  /** @default only metadata.name and metadata.namespace */
  readonly convertFieldLabel?: FieldLabelConversion;
}

/** A kind or version that nobody registered. The message is upstream's. */
export class NotRegisteredError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NotRegisteredError";
  }
}

/** What kinds there are, in which versions, and how these become each other. */
export interface Scheme<D extends VersionDefinition = VersionDefinition> {
  register(...definitions: readonly D[]): void;
  /** Takes every version of a kind out again: a deleted CustomResourceDefinition. */
  unregister(kind: GroupKind): void;
  find(gvk: GroupVersionKind): D | undefined;
  /** @throws NotRegisteredError */
  get(gvk: GroupVersionKind): D;
  /** @throws NotRegisteredError */
  hubOf(kind: GroupKind): D;
  /** Every version of a kind, the most mature first. */
  versionsOf(kind: GroupKind): D[];
  /** Every kind of a group's version. */
  kindsOf(groupVersion: GroupVersion): D[];
  /** Sets the defaults of the object's own version. */
  setDefaults(object: KubernetesObject, gvk: GroupVersionKind): void;
  /** The object in another version of its kind; itself where that is its own. @throws NotRegisteredError */
  convert<T extends KubernetesObject>(object: T, from: GroupVersionKind, version: string): T;
  /** @throws FieldLabelError */
  convertFieldLabel(gvk: GroupVersionKind, field: string, value: string): FieldLabel;
}

/** @param name what messages call it; the API server's is known to clients as `pkg/api/legacyscheme/scheme.go:30` */
export function createScheme<D extends VersionDefinition = VersionDefinition>({
  name = "scheme",
}: {
  name?: string;
} = {}): Scheme<D> {
  const kinds = new Map<string, Map<string, D>>();
  const keyOf = ({ group, kind }: GroupKind): string => `${group}/${kind}`;

  const find = (gvk: GroupVersionKind): D | undefined => kinds.get(keyOf(gvk))?.get(gvk.version);

  function get(gvk: GroupVersionKind): D {
    const found = find(gvk);
    if (found !== undefined) return found;
    const version = quoteGo(formatGroupVersion(gvk));
    if (gvk.kind === "")
      throw new NotRegisteredError(`no version ${version} has been registered in scheme ${quoteGo(name)}`);
    throw new NotRegisteredError(
      `no kind ${quoteGo(gvk.kind)} is registered for version ${version} in scheme ${quoteGo(name)}`,
    );
  }

  function hubOf(kind: GroupKind): D {
    const versions = [...(kinds.get(keyOf(kind))?.values() ?? [])];
    const hub = versions.find((version) => version.hub === true) ?? (versions.length === 1 ? versions[0] : undefined);
    if (hub !== undefined) return hub;
    throw new NotRegisteredError(
      `no kind ${quoteGo(kind.kind)} is registered for the internal version of group ${quoteGo(kind.group)} in scheme ${quoteGo(name)}`,
    );
  }

  return {
    register(...definitions) {
      for (const definition of definitions) {
        const key = keyOf(definition.gvk);
        const versions = kinds.get(key) ?? new Map<string, D>();
        versions.set(definition.gvk.version, definition);
        kinds.set(key, versions);
      }
    },
    unregister: (kind) => void kinds.delete(keyOf(kind)),
    find,
    get,
    hubOf,
    versionsOf(kind) {
      const versions = kinds.get(keyOf(kind));
      return sortKubeVersions([...(versions?.keys() ?? [])]).flatMap((version) => versions?.get(version) ?? []);
    },
    kindsOf: ({ group, version }) =>
      [...kinds.values()].flatMap((versions) => {
        const definition = versions.get(version);
        return definition?.gvk.group === group ? [definition] : [];
      }),
    setDefaults: (object, gvk) => get(gvk).setDefaults?.(object),
    convert<T extends KubernetesObject>(object: T, from: GroupVersionKind, version: string): T {
      if (from.version === version || find(from)?.unversioned) return object;
      const target = get({ ...from, version });
      const source = get(from);
      const hub = source.toHub?.(object) ?? object;
      const converted = target.fromHub?.(hub) ?? hub;
      // apiVersion and kind come first in an object's members; a copy keeps that order.
      return { ...converted, apiVersion: formatGroupVersion(target.gvk), kind: target.gvk.kind } as T;
    },
    convertFieldLabel: (gvk, field, value) => (find(gvk)?.convertFieldLabel ?? convertMetadataLabel)(field, value),
  };
}
