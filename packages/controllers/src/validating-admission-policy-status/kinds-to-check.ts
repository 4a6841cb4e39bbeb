import type { DeepReadonly } from "@coxswain/api";
import type { ValidatingAdmissionPolicySpec } from "@coxswain/api/admissionregistration/v1";
import type { GroupVersionKind, GroupVersionResource } from "@coxswain/apimachinery/meta";

/** More kinds than this are not checked. */
const mostKinds = 10;

/** The kinds that a policy names without wildcards, in order of group, version and kind. */
export function kindsToCheck(
  { matchConstraints }: DeepReadonly<ValidatingAdmissionPolicySpec>,
  kindFor: (resource: GroupVersionResource) => GroupVersionKind | undefined,
): GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes("*"))) continue;
    let count = 0;
    const named = resources.filter((resource) => !/[*/]/.test(resource)).sort();
    for (const group of [...apiGroups].sort())
      for (const version of [...apiVersions].sort())
        for (const resource of named) {
          const kind = kindFor({ group, version, resource });
          if (!kind || count === mostKinds) continue;
          found.set(sortKey(kind), kind);
          count += 1;
        }
    if (count === mostKinds) break;
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
}

/** Parts of names are never below the separator. */
const sortKey = ({ group, version, kind }: GroupVersionKind): string => `${group}\0${version}\0${kind}`;
