import type { ClusterRole, PolicyRule, Role } from "@coxswain/api/rbac/v1";
import type { TypeModule } from "@coxswain/schema-types";
import { type Marker, markerError, readArguments, readDoc, splitList } from "@coxswain/schema-types";

/**
 * The roles that `@rbac` markers anywhere in the sources ask for:
 * `@rbac groups=apps resources=deployments verbs=get;list;watch`, with `resourceNames`, `urls`, `namespace` and `roleName`.
 * Rules of one role are merged as controller-gen merges them: verbs of the same resources, resources of the same verbs, groups
 * of the same resources.
 */
export function generateRoles(modules: readonly TypeModule[], roleName: string): (ClusterRole | Role)[] {
  const roles = new Map<string, { name: string; namespace: string; rules: Rule[] }>();
  for (const marker of markersOf(modules, "rbac")) {
    const { name = roleName, namespace = "", rules } = readRules(marker);
    const key = `${namespace}\0${name}`;
    const role = roles.get(key) ?? { name, namespace, rules: [] };
    role.rules = [...role.rules, ...rules];
    roles.set(key, role);
  }
  return [...roles.keys()].sort().map((key) => {
    const { name, namespace, rules } = roles.get(key)!;
    const apiVersion = "rbac.authorization.k8s.io/v1";
    const policy = mergeRules(rules);
    return namespace === ""
      ? { apiVersion, kind: "ClusterRole", metadata: { name }, rules: policy }
      : { apiVersion, kind: "Role", metadata: { name, namespace }, rules: policy };
  });
}

/** Markers of one name in all comments of some files. */
export function markersOf(modules: readonly TypeModule[], name: string): Marker[] {
  return modules.flatMap((module) =>
    module.docs.flatMap((comment) => readDoc(module, comment).markers.filter((marker) => marker.name === name)),
  );
}

interface Rule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly urls: readonly string[];
  readonly verbs: readonly string[];
}

function readRules(marker: Marker): { name: string | undefined; namespace: string | undefined; rules: Rule[] } {
  const names = ["groups", "resources", "resourceNames", "verbs", "urls", "namespace", "roleName"];
  const values = readArguments(marker, names);
  const list = (name: string): string[] => splitList(values.get(name) ?? "");
  const verbs = list("verbs");
  if (verbs.length === 0) throw markerError(marker, "needs verbs: verbs=get;list;watch");
  const resources = list("resources");
  if (resources.length === 0 && list("urls").length === 0) throw markerError(marker, "needs resources or urls");
  // The core group has an empty name, which `groups=""` and `groups=core` both write.
  const groups = values.get("groups") === "" ? [""] : list("groups").map((group) => (group === "core" ? "" : group));
  const rule: Rule = { groups, resources, resourceNames: list("resourceNames"), urls: list("urls"), verbs };
  const rules = resources.length === 0 ? [rule] : resources.map((resource) => ({ ...rule, resources: [resource] }));
  return { name: values.get("roleName"), namespace: values.get("namespace"), rules };
}

function mergeRules(rules: readonly Rule[]): PolicyRule[] {
  const merged = (["verbs", "resources", "groups", "urls"] as const).reduce<Rule[]>(mergeBy, rules.map(sorted));
  return merged
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(({ groups, resources, resourceNames, urls, verbs }) => ({
      ...(groups.length > 0 ? { apiGroups: [...groups] } : {}),
      ...(urls.length > 0 ? { nonResourceURLs: [...urls] } : {}),
      ...(resourceNames.length > 0 ? { resourceNames: [...resourceNames] } : {}),
      ...(resources.length > 0 ? { resources: [...resources] } : {}),
      verbs: verbs.includes("*") ? ["*"] : [...verbs],
    }));
}

/** Rules that differ in one list only become one rule with both lists. */
function mergeBy(rules: readonly Rule[], list: keyof Rule): Rule[] {
  const byRest = new Map<string, Rule>();
  for (const rule of rules) {
    const key = JSON.stringify({ ...rule, [list]: [] });
    const other = byRest.get(key);
    byRest.set(key, other ? sorted({ ...rule, [list]: [...other[list], ...rule[list]] }) : rule);
  }
  return [...byRest.values()];
}

function sorted(rule: Rule): Rule {
  const unique = (items: readonly string[]): string[] => [...new Set(items)].sort();
  return {
    groups: unique(rule.groups),
    resources: unique(rule.resources),
    resourceNames: unique(rule.resourceNames),
    urls: unique(rule.urls),
    verbs: unique(rule.verbs),
  };
}

const sortKey = ({ groups, resources, resourceNames, urls }: Rule): string =>
  [groups, resources, resourceNames, urls].map((items) => items.join("&")).join(" + ");
