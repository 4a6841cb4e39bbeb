import type { RestClient } from "@coxswain/client";
import { createDiscoveryClient, type DiscoveredGroup, type DiscoveredResource } from "@coxswain/client/discovery";
import type { ClusterInfo, ResourceInfo } from "../contract/messages.js";
import { nameOf, namesIn } from "../contract/paths.js";
import type { Connection } from "./connection.js";

/** What this cluster serves, as views need it. */
export interface Catalogue {
  readonly resources: readonly ResourceInfo[];
  readonly failedGroups: readonly string[];
  find(group: string, resource: string): ResourceInfo | undefined;
  /** Those that are served of some that are named as kubectl names them: `pods deployments.apps`. */
  named(names: string): ResourceInfo[];
  ofKind(apiVersion: string, kind: string): ResourceInfo | undefined;
}

export async function readCatalogue(rest: RestClient): Promise<Catalogue> {
  const { groups, failed } = await createDiscoveryClient(rest).surface();
  const resources = groups.flatMap(kindsOf);
  const byName = new Map(resources.map((info) => [nameOf(info), info]));
  return {
    resources,
    failedGroups: failed.map(({ group, version }) => `${group}/${version}`),
    find: (group, resource) => resources.find((info) => info.group === group && info.resource === resource),
    named: (names) => namesIn(names).flatMap((name) => byName.get(name) ?? []),
    ofKind(apiVersion, kind) {
      const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
      return resources.find((info) => info.group === group && info.kind === kind);
    },
  };
}

/** Pure: each kind once, in the first version that has it: not all are in the preferred one. */
export function kindsOf({ name, versions }: Pick<DiscoveredGroup, "name" | "versions">): ResourceInfo[] {
  const kinds = new Map<string, ResourceInfo>();
  for (const { version, resources } of versions)
    for (const info of resourcesOf(name, version, resources))
      if (!kinds.has(info.resource)) kinds.set(info.resource, info);
  return [...kinds.values()];
}

function resourcesOf(group: string, version: string, found: readonly DiscoveredResource[]): ResourceInfo[] {
  return found
    .filter(({ resource }) => !resource.includes("/"))
    .map((entry) => ({
      group,
      version,
      resource: entry.resource,
      kind: entry.kind,
      namespaced: entry.namespaced,
      verbs: entry.verbs,
      shortNames: entry.shortNames ?? [],
      subresources: found
        .filter(({ resource }) => resource.startsWith(`${entry.resource}/`))
        .map(({ resource }) => resource.slice(entry.resource.length + 1)),
      isCustom: group.includes(".") && !group.endsWith(".k8s.io"),
    }));
}

export async function readCluster(connection: Connection, catalogue: Catalogue): Promise<ClusterInfo> {
  const { rest } = connection;
  const [version, self] = await Promise.all([
    rest.send({ method: "GET", path: "/version" }) as Promise<{ gitVersion?: string }>,
    whoAmI(rest),
  ]);
  return {
    ...connection.facts(),
    ...self,
    serverVersion: version.gitVersion ?? "",
    resources: catalogue.resources,
    failedGroups: catalogue.failedGroups,
    hasHistory: catalogue.find("history.coxswain.dev", "changes") !== undefined,
    hasMetrics: catalogue.find("metrics.k8s.io", "nodes") !== undefined,
  };
}

/** As whom requests arrive. Servers before 1.28 do not answer this. */
export async function whoAmI(rest: RestClient): Promise<{ readonly user: string; readonly groups: readonly string[] }> {
  try {
    const review = (await rest.send({
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      body: { as: "value", value: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" } },
    })) as { status?: { userInfo?: { username?: string; groups?: string[] } } };
    const { username = "", groups = [] } = review.status?.userInfo ?? {};
    return { user: username, groups };
  } catch {
    return { user: "", groups: [] }; // the page shows no name then
  }
}
