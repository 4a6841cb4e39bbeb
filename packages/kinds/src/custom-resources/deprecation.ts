import { compareVersions } from "@coxswain/apimachinery/meta";
import type { Deprecation } from "../definition/resource-facts.js";
import type { Definition, VersionSpec } from "./version-spec.js";

/** What clients of a deprecated version are warned of; undefined where it is not. */
export function deprecationOf(
  { spec }: Definition,
  { name, deprecated, deprecationWarning }: VersionSpec,
): Deprecation | undefined {
  if (!deprecated) return undefined;
  return { warning: deprecationWarning ?? defaultWarning(spec, name) };
}

/** Names the newest version to use instead. */
function defaultWarning({ group, names, versions }: Definition["spec"], version: string): string {
  const text = `${group}/${version} ${names.kind} is deprecated`;
  const [best] = (versions ?? [])
    .filter((other) => other.served && !other.deprecated && compareVersions(other.name, version) < 0)
    .map(({ name }) => name)
    .sort(compareVersions);
  return best === undefined ? text : `${text}; use ${group}/${best} ${names.kind}`;
}
