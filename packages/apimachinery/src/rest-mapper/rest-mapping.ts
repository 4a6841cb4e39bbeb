import type { GroupKind, GroupResource, GroupVersionKind, GroupVersionResource } from "../meta/group-version.js";

/** What a server serves, by its discovery; groups by priority, versions in the group's order. */
export interface ServedGroup {
  readonly name: string;
  readonly preferredVersion?: string;
  readonly versions: readonly { readonly version: string; readonly resources: readonly ServedResource[] }[];
}

export interface ServedResource {
  readonly resource: string;
  readonly singular?: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** As much of a resource's name as the user gave: plural, singular or short; with or without group and version. */
export interface PartialResource {
  readonly group?: string;
  readonly version?: string;
  readonly resource: string;
}

export interface RestMapping {
  readonly resource: GroupVersionResource;
  readonly gvk: GroupVersionKind;
  readonly namespaced: boolean;
}

/** Finds the resource of a kind and the kind of a resource. @throws NoMatchError, AmbiguousMatchError */
export interface RestMapper {
  resourceFor(partial: PartialResource): GroupVersionResource;
  /** All that the name may mean, by priority. */
  resourcesFor(partial: PartialResource): GroupVersionResource[];
  kindFor(partial: PartialResource): GroupVersionKind;
  kindsFor(partial: PartialResource): GroupVersionKind[];
  /** The preferred version of a kind; of those given, where some are. */
  mapping(kind: GroupKind, ...versions: readonly string[]): RestMapping;
  mappings(kind: GroupKind, ...versions: readonly string[]): RestMapping[];
  /** `pods` and `po` to `pod`. */
  singular(resource: string): string;
  /** The resources of a category such as `all`; undefined where there is no such category. */
  category(name: string): GroupResource[] | undefined;
}
