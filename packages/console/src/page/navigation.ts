import type { ResourceInfo } from "../contract/messages.js";
import { nameOf, namesIn } from "../contract/paths.js";

export interface NavigationGroup {
  readonly title: string;
  readonly items: readonly ResourceInfo[];
}

/** Sections by what people look for, not by API group. Kinds that no row names are found under their group. */
const sections: readonly (readonly [title: string, names: string])[] = [
  [
    "Workloads",
    "pods deployments.apps statefulsets.apps daemonsets.apps replicasets.apps jobs.batch cronjobs.batch horizontalpodautoscalers.autoscaling",
  ],
  [
    "Network",
    `services ingresses.networking.k8s.io networkpolicies.networking.k8s.io endpointslices.discovery.k8s.io
     gateways.gateway.networking.k8s.io httproutes.gateway.networking.k8s.io`,
  ],
  ["Configuration", "configmaps secrets resourcequotas limitranges poddisruptionbudgets.policy"],
  ["Storage", "persistentvolumeclaims persistentvolumes storageclasses.storage.k8s.io"],
  [
    "Access",
    `serviceaccounts roles.rbac.authorization.k8s.io rolebindings.rbac.authorization.k8s.io
     clusterroles.rbac.authorization.k8s.io clusterrolebindings.rbac.authorization.k8s.io`,
  ],
  ["Cluster", "nodes namespaces events customresourcedefinitions.apiextensions.k8s.io changes.history.coxswain.dev"],
];

/** Pure: the kinds that can be shown as tables, in sections; custom ones by group, the rest at the end. */
export function navigationOf(resources: readonly ResourceInfo[]): NavigationGroup[] {
  const tables = new Map(
    resources.filter(({ verbs }) => verbs.includes("list")).map((info) => [nameOf(info), info] as const),
  );
  const taken = new Set<string>();
  const found = sections.map(([title, names]) => {
    const items = namesIn(names).flatMap((name) => tables.get(name) ?? []);
    for (const info of items) taken.add(nameOf(info));
    return { title, items };
  });
  const left = [...tables].filter(([name]) => !taken.has(name)).map(([, info]) => info);
  const groups = new Map<string, ResourceInfo[]>();
  for (const info of left) {
    const title = info.isCustom ? info.group : "More";
    groups.set(title, [...(groups.get(title) ?? []), info]);
  }
  const byTitle = [...groups].sort(([a], [b]) => (a === "More" ? 1 : b === "More" ? -1 : a < b ? -1 : 1));
  return [...found, ...byTitle.map(([title, items]) => ({ title, items }))].filter(({ items }) => items.length > 0);
}

/** The plural of a kind's name. */
export function pluralTitle({ kind }: Pick<ResourceInfo, "kind">): string {
  if (/(s|x|ch|sh)$/.test(kind)) return kind.endsWith("s") && !kind.endsWith("ss") ? kind : `${kind}es`;
  return /[^aeiou]y$/.test(kind) ? `${kind.slice(0, -1)}ies` : `${kind}s`;
}
