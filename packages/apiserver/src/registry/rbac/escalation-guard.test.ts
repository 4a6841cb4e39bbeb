import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

const apiVersion = "rbac.authorization.k8s.io/v1";
const base = `/apis/${apiVersion}`;
const role = (kind: string, name: string, rules: object[], more: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name },
  rules,
  ...more,
});
const binding = (kind: string, name: string, roleRef: string, user: string) => ({
  apiVersion,
  kind,
  metadata: { name },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: roleRef.split("/")[0], name: roleRef.split("/")[1] },
  subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }],
});
const rbac = (verbs: string[], resources: string[]) => ({ verbs, apiGroups: ["rbac.authorization.k8s.io"], resources });
const pods = (...verbs: string[]) => ({ verbs, apiGroups: [""], resources: ["pods"] });

describe("nobody grants what they do not have", () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    const writing = rbac(
      ["create", "update", "patch"],
      ["roles", "rolebindings", "clusterroles", "clusterrolebindings"],
    );
    await send("admin", "clusterroles", role("ClusterRole", "writer", [writing, pods("get")]), ["system:masters"]);
    await send(
      "admin",
      "clusterroles",
      role("ClusterRole", "escalator", [writing, rbac(["escalate"], ["roles"]), rbac(["bind"], ["clusterroles"])]),
      ["system:masters"],
    );
    await send("admin", "clusterrolebindings", binding("ClusterRoleBinding", "jane", "ClusterRole/writer", "jane"), [
      "system:masters",
    ]);
    await send("admin", "clusterrolebindings", binding("ClusterRoleBinding", "joe", "ClusterRole/escalator", "joe"), [
      "system:masters",
    ]);
  });
  afterAll(() => server.stop());

  /** The reason of a refusal, or "ok". */
  async function send(
    name: string,
    resource: string,
    body: object,
    groups: string[] = ["dev"],
    method = "POST",
  ): Promise<string> {
    try {
      await createInProcessClient(server, { user: { name, groups } }).request({
        method,
        path: `${base}/${resource}`,
        body,
      });
      return "ok";
    } catch (err) {
      return (err as Error).message;
    }
  }

  const refused = (what: string, ...rules: string[]): string =>
    `${what} is forbidden: user "jane" (groups=["dev" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n${rules.join("\n")}`;
  const steps: [name: string, user: string, resource: string, body: object, want: string, method?: string][] = [
    ["a role of what one has", "jane", "namespaces/default/roles", role("Role", "fine", [pods("get")]), "ok"],
    [
      "a role of more",
      "jane",
      "namespaces/default/roles",
      role("Role", "more", [pods("get", "list", "watch")]),
      refused('roles.rbac.authorization.k8s.io "more"', '{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}'),
    ],
    [
      "a change to more",
      "jane",
      "namespaces/default/roles/fine",
      role("Role", "fine", [pods("delete")]),
      refused('roles.rbac.authorization.k8s.io "fine"', '{APIGroups:[""], Resources:["pods"], Verbs:["delete"]}'),
      "PUT",
    ],
    ["a role by who may escalate", "joe", "namespaces/default/roles", role("Role", "any", [pods("*")]), "ok"],
    [
      "a cluster role that gathers",
      "jane",
      "clusterroles",
      role("ClusterRole", "gatherer", [], { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } }),
      'clusterroles.rbac.authorization.k8s.io "gatherer" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    ],
    [
      "a binding to what one has",
      "jane",
      "namespaces/default/rolebindings",
      binding("RoleBinding", "fine", "Role/fine", "x"),
      "ok",
    ],
    [
      "a binding to more",
      "jane",
      "namespaces/default/rolebindings",
      binding("RoleBinding", "more", "ClusterRole/cluster-admin", "jane"),
      refused(
        'rolebindings.rbac.authorization.k8s.io "more"',
        '{APIGroups:["*"], Resources:["*"], Verbs:["*"]}',
        '{NonResourceURLs:["*"], Verbs:["*"]}',
      ),
    ],
    [
      "a binding by who may bind",
      "joe",
      "namespaces/default/rolebindings",
      binding("RoleBinding", "any", "ClusterRole/cluster-admin", "joe"),
      "ok",
    ],
    [
      "a binding to no role",
      "jane",
      "clusterrolebindings",
      binding("ClusterRoleBinding", "none", "ClusterRole/none", "jane"),
      'clusterrolebindings.rbac.authorization.k8s.io "none" not found',
    ],
  ];
  for (const [name, user, resource, body, want, method] of steps)
    it(name, async () => expect(await send(user, resource, body, ["dev"], method)).toBe(want));
});
