import { startApiServer } from "@coxswain/apiserver";
import { createInProcessClients } from "@coxswain/cluster";
import { testRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runWhy } from "./why-command.js";

const apiGroup = "rbac.authorization.k8s.io";

async function open() {
  const runtime = testRuntime(1);
  const store = createMemoryStore({ runtime });
  const server = await startApiServer({ store, runtime, history: { bytes: 8 << 20 } });
  const clientOf = createInProcessClients({ server, runtime, dropsManagedFields: false });
  return { server, runtime, clientFor: (name: string, ...groups: string[]) => clientOf({ name, groups }, "kubectl") };
}
let opened: Awaited<ReturnType<typeof open>>;

async function why(line: string, asker = "root"): Promise<string[]> {
  const lines: string[] = [];
  const client = opened.clientFor(asker, ...(asker === "root" ? ["system:masters"] : []), "system:authenticated");
  const place = { client, namespace: "shop", print: (text: string) => lines.push(text), now: () => 0 };
  await runWhy(line.split(" "), place);
  return lines;
}

beforeAll(async () => {
  opened = await open();
  const { rbac, core } = opened.clientFor("root", "system:masters");
  for (const name of ["shop", "dev"]) await core.v1.namespaces().create({ metadata: { name } });
  const verbs = ["get", "list", "watch"];
  const rule = { apiGroups: [""], resources: ["pods"] };
  await rbac.v1.clusterroles().create({ metadata: { name: "viewer" }, rules: [{ ...rule, verbs }] });
  await rbac.v1.clusterroles().create({ metadata: { name: "editor" }, rules: [{ ...rule, verbs: ["*"] }] });
  const bind = (namespace: string, name: string, role: [kind: string, name: string]) =>
    rbac.v1.rolebindings(namespace).create({
      metadata: { name },
      roleRef: { apiGroup, kind: role[0], name: role[1] },
      subjects: [{ kind: "Group", apiGroup, name: "devs" }],
    });
  await bind("shop", "devs", ["ClusterRole", "viewer"]);
  await bind("dev", "devs-edit", ["ClusterRole", "editor"]);
  await bind("shop", "ops", ["Role", "deleter"]);
});
afterAll(() => opened.server.stop());

describe("why denied", () => {
  it("names what nearly allows it, and what it lacks", async () => {
    expect(await why("denied --as ann --as-group devs delete pods")).toEqual([
      "no: nothing grants delete pods in shop to ann (groups: devs, system:authenticated)",
      "  RoleBinding shop/devs → ClusterRole viewer: has get, list, watch of pods; delete is missing",
      "  RoleBinding shop/ops → Role deleter: the Role does not exist",
      "  RoleBinding dev/devs-edit → ClusterRole editor: would do, but is in namespace dev",
    ]);
  });

  it("names what allows it", async () => {
    await expect(why("denied --as-group devs delete pods")).rejects.toThrow("--as-group is for --as");
    expect((await why("denied --as ann --as-group devs get pods"))[0]).toMatch(
      /^yes: RBAC: allowed by RoleBinding "devs\/shop"/,
    );
  });

  it("is refused to those who may not ask", async () => {
    await expect(why("denied --as ann delete pods", "bob")).rejects.toThrow(/forbidden/);
  });
});

describe("why slow", () => {
  it("shows where the time of a request went, to its user and to those who may see all", async () => {
    const { rest } = opened.clientFor("root", "system:masters");
    const made = await rest.open({
      method: "POST",
      path: "/api/v1/namespaces/shop/configmaps",
      body: { as: "value", value: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "one" } } },
      headers: { "audit-id": "question-1" },
    });
    await made.bytes();
    expect(await why("slow question-1")).toEqual([
      expect.stringMatching(
        /^create \/api\/v1\/namespaces\/shop\/configmaps by root was answered with 201 after [\d.]+(µs|ms|s)/,
      ),
    ]);
    expect(await why("slow question-2")).toEqual(["no request with the audit id question-2 is among the last ones"]);
  });
});
