import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

const body = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace: "default" } };

describe("what a user may do", () => {
  it("follows from the roles that it is bound to", async () => {
    const server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
    });
    const as = (name: string, groups: string[]) => createInProcessClient(server, { user: { name, groups } });
    const ask = (name: string, groups: string[] = []) =>
      as(name, groups).request({ method: "POST", path: "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", body });
    const binding = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      metadata: { name: "b" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
      subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: "jane" }],
    };
    await as("admin", ["system:masters"]).request({
      method: "POST",
      path: "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
      body: binding,
    });
    expect(await ask("jane")).toMatchObject({
      metadata: {},
      spec: {},
      status: { incomplete: false, evaluationError: 'role.rbac.authorization.k8s.io "r" not found' },
    });
    await as("admin", ["system:masters"]).request({
      method: "POST",
      path: "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles",
      body: {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "Role",
        metadata: { name: "r" },
        rules: [{ verbs: ["get"], apiGroups: [""], resources: ["pods"], resourceNames: ["p"] }],
      },
    });
    const { status } = (await ask("jane")) as { status: { resourceRules: object[]; nonResourceRules: object[] } };
    expect(status.resourceRules).toContainEqual({
      verbs: ["get"],
      apiGroups: [""],
      resources: ["pods"],
      resourceNames: ["p"],
    });
    expect(status.nonResourceRules).toContainEqual(expect.objectContaining({ verbs: ["get"] }));
    await server.stop();
  });
});
