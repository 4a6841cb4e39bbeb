import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { WorldObject } from "./decision-table.js";

/** Roles and bindings as somebody might have made them who was not careful. */
export function randomPolicy(random: RandomSource): WorldObject[] {
  const pick = <T>(list: readonly T[]): T => list[randomInt(list.length, random)] as T;
  const some = <T>(list: readonly T[], most: number): T[] => [
    ...new Set(Array.from({ length: 1 + randomInt(most, random) }, () => pick(list))),
  ];
  const rule = (namespaced: boolean): object => {
    if (!namespaced && randomInt(6, random) === 0)
      return {
        verbs: some(["get", "post", "*"], 2),
        nonResourceURLs: some(["/metrics", "/healthz/*", "/logs/*", "/a/*", "*", "/version/"], 2),
      };
    return {
      verbs: some(verbs, 4),
      apiGroups: some(["", "apps", "batch", "rbac.authorization.k8s.io", "example.com", "*"], 2),
      resources: some(resources, 3),
      ...(randomInt(4, random) === 0 ? { resourceNames: some(names, 2) } : {}),
    };
  };
  const rules = (namespaced: boolean): object[] =>
    Array.from({ length: 1 + randomInt(3, random) }, () => rule(namespaced));
  const objects: WorldObject[] = namespaces.map((name) => ({
    path: "/api/v1/namespaces",
    object: { apiVersion: "v1", kind: "Namespace", metadata: { name } },
  }));
  const clusterRoles = Array.from({ length: 20 }, (_, at) => `cr${at}`);
  const roles = namespaces.flatMap((namespace) =>
    Array.from({ length: 10 }, (_, at) => ({ namespace, name: `r${at}` })),
  );
  for (const name of clusterRoles)
    objects.push({
      path: `${base}/clusterroles`,
      object: { apiVersion, kind: "ClusterRole", metadata: { name }, rules: rules(false) },
    });
  for (const { namespace, name } of roles)
    objects.push({
      path: `${base}/namespaces/${namespace}/roles`,
      object: { apiVersion, kind: "Role", metadata: { name }, rules: rules(true) },
    });
  const subject = (): object => {
    const kind = pick(["User", "User", "Group", "ServiceAccount"]);
    if (kind === "ServiceAccount") return { kind, name: pick(accounts), namespace: pick(namespaces) };
    return { kind, apiGroup: "rbac.authorization.k8s.io", name: kind === "User" ? pick(users) : pick(groups) };
  };
  const ref = (kind: string, name: string): object => ({ apiGroup: "rbac.authorization.k8s.io", kind, name });
  for (let at = 0; at < 25; at++)
    objects.push({
      path: `${base}/clusterrolebindings`,
      object: {
        apiVersion,
        kind: "ClusterRoleBinding",
        metadata: { name: `crb${at}` },
        roleRef: ref("ClusterRole", at < 23 ? pick(clusterRoles) : `gone${at}`),
        subjects: some([subject(), subject(), subject()], 3),
      },
    });
  for (const namespace of namespaces) {
    for (let at = 0; at < 20; at++) {
      const roleRef =
        randomInt(3, random) === 0
          ? ref("ClusterRole", pick(clusterRoles))
          : ref("Role", at < 18 ? `r${randomInt(10, random)}` : `gone${at}`);
      objects.push({
        path: `${base}/namespaces/${namespace}/rolebindings`,
        object: {
          apiVersion,
          kind: "RoleBinding",
          metadata: { name: `rb${at}` },
          roleRef,
          subjects: some([subject(), subject()], 2),
        },
      });
    }
  }
  return objects;
}

const apiVersion = "rbac.authorization.k8s.io/v1";
const base = `/apis/${apiVersion}`;
export const namespaces = ["shop", "lab"];
export const users = ["ann", "bob", "cid", "dora", "eve", "fay", 'quo"te', "system:admin"];
export const groups = ["dev", "ops", "system:authenticated", "audit"];
export const accounts = ["bot", "builder"];
export const names = ["one", "two", "three"];
export const verbs = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
  "impersonate",
  "escalate",
  "*",
];
export const resources = [
  "pods",
  "pods/log",
  "pods/exec",
  "secrets",
  "configmaps",
  "deployments",
  "deployments/scale",
  "*/scale",
  "jobs",
  "roles",
  "widgets",
  "*",
];
