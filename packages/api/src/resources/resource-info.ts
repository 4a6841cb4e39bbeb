/** A kind with its group and version; the group of the core is "". */
export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface SubresourceInfo {
  /** "status", "scale", "log". */
  readonly name: string;
  /** What is sent or received: `deployments/scale` is autoscaling/v1 Scale, `pods/eviction` policy/v1 Eviction. */
  readonly kind: KindName;
  readonly verbs: readonly string[];
}

/** A resource of a built-in API group in one version, as data. */
export interface ResourceInfo {
  readonly group: string;
  readonly version: string;
  /** Plural, lower case: what stands in the path. */
  readonly resource: string;
  readonly singular: string;
  readonly kind: string;
  /** "" where nothing is listed (bindings, reviews). */
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Sorted, as discovery lists them. */
  readonly verbs: readonly string[];
  /** Sorted by name. */
  readonly subresources: readonly SubresourceInfo[];
  /** OpenAPI name of the kind's type. */
  readonly schema: string;
  /** Where and as what objects are kept; absent for what is never stored (bindings, reviews, component statuses). */
  readonly storage?: StorageInfo;
  /** storageVersionHash of discovery: names the stored version, "" where nothing is stored. */
  readonly hash: string;
  /** Whether a server without `--runtime-config` serves it. */
  readonly servedByDefault: boolean;
  /** Field labels that a field selector may name. */
  readonly selectableFields: readonly string[];
  /** Labels that are another label's name in this version: `regarding.kind` of events.k8s.io is `involvedObject.kind`. */
  readonly fieldAliases?: Readonly<Record<string, string>>;
  readonly lifecycle?: Lifecycle;
}

/** The version stored is not always one that is served: MutatingAdmissionPolicy v1 is stored as v1beta1 in 1.36. */
export interface StorageInfo {
  /** After `/registry/`: "pods", "minions", "services/specs". */
  readonly prefix: string;
  readonly group: string;
  readonly version: string;
}

/** Releases as "1.33". From `deprecated` on, a server warns on each request. */
export interface Lifecycle {
  readonly introduced: string;
  readonly deprecated?: string;
  readonly removed?: string;
  readonly replacement?: KindName;
}
