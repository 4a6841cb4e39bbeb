import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createInProcessClient, type InProcessClient } from "../server/in-process/in-process-client.js";
import { checkChange, matches } from "./initializers.js";

const rule = (group: string, resource: string) => ({ apiGroups: [group], apiVersions: ["v1"], resources: [resource] });

describe("which objects an initializer is for", () => {
  const maps = { group: "", version: "v1", resource: "configmaps" };
  const cases = [
    { name: "those that its rule names", rules: [rule("", "configmaps")], fits: true },
    { name: "not those of another group", rules: [rule("apps", "configmaps")], fits: false },
    { name: "stars name all", rules: [{ apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] }], fits: true },
    { name: "all of its rules have to fit", rules: [rule("", "configmaps"), rule("", "secrets")], fits: false },
    { name: "without rules none", rules: [], fits: false },
  ];
  for (const { name, rules, fits } of cases) it(name, () => expect(matches(rules, maps)).toBe(fits));
});

describe("how initializers may change", () => {
  const pending = (...names: string[]) => ({ pending: names.map((name) => ({ name })) });
  const failed = (message: string) => ({ ...pending("a"), result: { status: "Failure" as const, message } as never });
  const cases = [
    { name: "not once they are done", before: undefined, after: pending("a"), wrong: ["metadata.initializers"] },
    { name: "one after the other goes", before: pending("a", "b"), after: pending("b"), wrong: [] },
    { name: "all go", before: pending("a"), after: undefined, wrong: [] },
    { name: "a failure is reported", before: pending("a"), after: failed("no"), wrong: [] },
    { name: "and stays", before: failed("no"), after: failed("yes"), wrong: ["metadata.initializers.result"] },
  ];
  for (const { name, before, after, wrong } of cases)
    it(name, () => expect(checkChange(before, after).map(({ field }) => field)).toEqual(wrong));
});

describe("initializers, where their gate is on", () => {
  let server: ApiServer;
  let admin: InProcessClient;
  const maps = "/api/v1/namespaces/default/configmaps";
  const map = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name } });
  const merge = (path: string, body: object) =>
    admin.request({ method: "PATCH", path, body, headers: { "content-type": "application/merge-patch+json" } });
  const namesIn = async (query: string): Promise<string[]> => {
    const list = (await admin.request({ method: "GET", path: `${maps}${query}` })) as {
      items: { metadata: { name: string } }[];
    };
    return list.items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
  };
  /** Waits until the object is there, hidden, and answers it. */
  async function hidden(name: string): Promise<unknown> {
    const done = new AbortController();
    const path = `${maps}?watch=1&includeUninitialized=true&fieldSelector=metadata.name%3D${name}`;
    for await (const { object } of admin.watch({ method: "GET", path, signal: done.signal })) {
      done.abort();
      return object;
    }
    throw new Error("the watch ended");
  }

  beforeAll(async () => {
    server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      api: { featureGates: new Map([["Initializers", "true"]]) },
    });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    await admin.request({
      method: "POST",
      path: "/apis/admissionregistration.k8s.io/v1alpha1/initializerconfigurations",
      body: {
        apiVersion: "admissionregistration.k8s.io/v1alpha1",
        kind: "InitializerConfiguration",
        metadata: { name: "harbour" },
        initializers: [
          { name: "pilot.harbour.example.com", rules: [rule("", "configmaps")] },
          { name: "lock.harbour.example.com", rules: [rule("", "limitranges")] },
        ],
      },
    });
  });
  afterAll(() => server.stop());

  it("a create is answered when the last of them is done; until then lists and watches leave the object out", async () => {
    const creating = admin.request({ method: "POST", path: maps, body: map("boat") });
    expect(await hidden("boat")).toMatchObject({
      metadata: { initializers: { pending: [{ name: "pilot.harbour.example.com" }] } },
    });
    expect(await namesIn("")).toEqual([]);
    expect(await namesIn("?includeUninitialized=true")).toEqual(["boat"]);
    const seen: unknown[] = [];
    const done = new AbortController();
    const watching = (async () => {
      for await (const { type, object } of admin.watch({ method: "GET", path: `${maps}?watch=1`, signal: done.signal }))
        if ((object as { metadata: { name?: string } }).metadata.name === "boat" && seen.push(type)) done.abort();
    })();
    await merge(`${maps}/boat`, { data: { sail: "set" }, metadata: { initializers: { pending: [] } } });
    expect(await creating).toMatchObject({ data: { sail: "set" }, metadata: { name: "boat" } });
    expect((await creating) as object).not.toHaveProperty("metadata.initializers");
    await watching;
    expect(seen).toEqual(["ADDED"]);
    expect(await namesIn("")).toEqual(["boat"]);
  });

  const creations = [
    {
      name: "an apply",
      path: `${maps}/ferry?fieldManager=me`,
      send: { method: "PATCH", headers: { "content-type": "application/apply-patch+yaml" }, body: map("ferry") },
    },
    {
      name: "a PUT",
      path: "/api/v1/namespaces/default/limitranges/ferry",
      send: { method: "PUT", body: { apiVersion: "v1", kind: "LimitRange", metadata: { name: "ferry" } } },
    },
  ] as const;
  for (const { name, path, send } of creations)
    it(`${name} that creates is answered when the last of them is done`, async () => {
      const [own = ""] = path.split("?");
      let isAnswered = false;
      const creating = admin.request({ ...send, path }).finally(() => (isAnswered = true));
      const collection = own.slice(0, own.lastIndexOf("/"));
      const done = new AbortController();
      const watch = `${collection}?watch=1&includeUninitialized=true&fieldSelector=metadata.name%3Dferry`;
      for await (const { object } of admin.watch({ method: "GET", path: watch, signal: done.signal })) {
        expect(object).toHaveProperty("metadata.initializers.pending.0");
        done.abort();
      }
      expect(isAnswered).toBe(false);
      await merge(own, { metadata: { labels: { seen: "yes" }, initializers: { pending: [] } } });
      expect(await creating).toMatchObject({ metadata: { labels: { seen: "yes" } } });
      expect((await creating) as object).not.toHaveProperty("metadata.initializers");
      await admin.request({ method: "DELETE", path: own });
    });

  it("one that fails refuses the create, and the object goes", async () => {
    const creating = admin.request({ method: "POST", path: maps, body: map("wreck") });
    creating.catch(() => {});
    await hidden("wreck");
    const result = { status: "Failure", message: "it leaks", reason: "Invalid", code: 422 };
    await merge(`${maps}/wreck`, { metadata: { initializers: { result } } });
    await expect(creating).rejects.toThrow("it leaks");
    await expect(admin.request({ method: "GET", path: `${maps}/wreck` })).rejects.toThrow("not found");
  });

  it("who asks for it does not wait, and an administrator may leave initialization out", async () => {
    const at = `${maps}?includeUninitialized=true`;
    expect(await admin.request({ method: "POST", path: at, body: map("raft") })).toHaveProperty(
      "metadata.initializers",
    );
    const without = { ...map("canoe"), metadata: { name: "canoe", initializers: { pending: [] } } };
    expect(await admin.request({ method: "POST", path: maps, body: without })).not.toHaveProperty(
      "metadata.initializers",
    );
  });

  it("others may not touch what is not initialized", async () => {
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "patch"] }];
    await admin.request({
      method: "POST",
      path: "/apis/rbac.authorization.k8s.io/v1/clusterroles",
      body: { metadata: { name: "editor" }, rules },
    });
    await admin.request({
      method: "POST",
      path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
      body: {
        metadata: { name: "editors" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "editor" },
        subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "jane" }],
      },
    });
    const jane = createInProcessClient(server, { user: { name: "jane", groups: [] } });
    await expect(
      jane.request({
        method: "PATCH",
        path: `${maps}/raft`,
        body: { data: { a: "b" } },
        headers: { "content-type": "application/merge-patch+json" },
      }),
    ).rejects.toThrow("update to uninitialized resource denied");
  });

  const pending = { pending: [{ name: "pilot.harbour.example.com" }] };

  it("a server without the gate in the same process knows no such member", async () => {
    const runtime = systemRuntime();
    const other = await startApiServer({ runtime, store: createMemoryStore({ runtime }) });
    try {
      const client = createInProcessClient(other, { user: { name: "admin", groups: ["system:masters"] } });
      const body = { ...map("punt"), metadata: { name: "punt", initializers: pending } };
      expect(await client.request({ method: "POST", path: maps, body })).not.toHaveProperty("metadata.initializers");
      const headers = { "content-type": "application/apply-patch+yaml" };
      const path = `${maps}/punt?fieldManager=me`;
      await expect(client.request({ method: "PATCH", path, headers, body })).rejects.toThrow(
        "field not declared in schema",
      );
    } finally {
      await other.stop();
    }
  });

  const group = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const definition = {
    metadata: { name: "boats.example.com", initializers: pending },
    spec: {
      group: "example.com",
      scope: "Cluster",
      names: { plural: "boats", kind: "Boat" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  };

  it("what the server writes into an object does not end its initialization", async () => {
    await admin.request({ method: "POST", path: `${group}?includeUninitialized=true`, body: definition });
    const done = new AbortController();
    const path = `${group}?watch=1&includeUninitialized=true&fieldSelector=metadata.name%3Dboats.example.com`;
    for await (const { object } of admin.watch({ method: "GET", path, signal: done.signal })) {
      if (!(object as { status?: { conditions?: unknown[] } }).status?.conditions?.length) continue;
      expect(object).toHaveProperty("metadata.initializers", pending);
      done.abort();
    }
  });

  const metadata = { name: "skiff", initializers: pending };
  const scaled = { maxReplicas: 2, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "skiff" } };
  const forms = [
    {
      name: "another version of a built-in kind",
      path: "/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers",
      body: { metadata, spec: scaled },
    },
    {
      name: "a custom resource",
      path: "/apis/example.com/v1/boats",
      body: { apiVersion: "example.com/v1", kind: "Boat", metadata },
    },
  ];
  for (const { name, path, body } of forms)
    it(`${name} has them, too`, async () => {
      const created = admin.request({ method: "POST", path: `${path}?includeUninitialized=true`, body });
      expect(await created).toHaveProperty("metadata.initializers", pending);
      expect(await admin.request({ method: "GET", path: `${path}/skiff` })).toHaveProperty(
        "metadata.initializers",
        pending,
      );
    });
});
