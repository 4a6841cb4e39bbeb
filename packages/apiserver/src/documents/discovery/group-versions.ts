import { compareVersions } from "@coxswain/apimachinery/meta";
import { groupVersionOf } from "../served-resource.js";

/** A group-version with the priorities of its APIService, which decide its place. Remote (aggregated) ones belong in the list too. */
export interface RankedGroupVersion {
  readonly group: string;
  readonly version: string;
  /** Of a group the highest among its versions counts. */
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** What a custom resource's group-version gets. */
export const customResourcePriority = { groupPriority: 1000, versionPriority: 100 } as const;

/** The aggregator's own group has no APIService. It is listed first, so that its names win. */
export const aggregatorPriority = { groupPriority: 20001, versionPriority: 0 } as const;

/**
 * Groups as `/apis` lists them, each with its versions, best first. Groups of equal priority are in the order of their
 * APIServices' names, which begin with the version: `v1.b` comes before `v1beta1.a`.
 */
export function rankGroups(groupVersions: readonly RankedGroupVersion[]): { group: string; versions: string[] }[] {
  const nameOf = (of: RankedGroupVersion): string => `${of.version}.${of.group}`;
  const ranked = groupVersions
    .filter((of) => of.group !== "")
    .sort((a, b) => b.groupPriority - a.groupPriority || compareText(nameOf(a), nameOf(b)));
  const groups = new Map<string, RankedGroupVersion[]>();
  for (const of of ranked) {
    const versions = groups.get(of.group);
    if (versions) versions.push(of);
    else groups.set(of.group, [of]);
  }
  return [...groups].map(([group, versions]) => ({
    group,
    versions: versions.sort(byVersionPriority).map((of) => of.version),
  }));
}

export function byVersionPriority(a: RankedGroupVersion, b: RankedGroupVersion): number {
  return b.versionPriority - a.versionPriority || compareVersions(a.version, b.version);
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The distinct group-versions of some resources, in the order they first occur. */
export function groupVersionsOf<T extends { readonly group: string; readonly version: string }>(
  resources: readonly T[],
): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const resource of resources) {
    const key = groupVersionOf(resource);
    const list = found.get(key);
    if (list) list.push(resource);
    else found.set(key, [resource]);
  }
  return found;
}
