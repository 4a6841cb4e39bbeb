import { type ApiServer, createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
// The same Deployment seen by four clients: typed, dynamic, metadata-only and discovery.
import { afterAll, beforeAll, expect, it } from "vitest";

const deployments = { group: "apps", version: "v1", resource: "deployments" };
let server: ApiServer;
let client: Client;

beforeAll(async () => {
  server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
  const user = { name: "me", groups: ["system:masters"] };
  client = createClient({ transport: createInProcessTransport(server, { user }) });
});
afterAll(() => server.stop());

it("typed: the compiler knows every field", async () => {
  const made = await client.apps.v1.deployments("default").create({
    metadata: { name: "web", labels: { app: "web" } },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    },
  });
  expect(made.spec?.replicas).toBe(1);
});

it("typed server-side apply: only the fields that this manager wants to own", async () => {
  const apply = { metadata: { name: "web" }, spec: { replicas: 2 } };
  const { spec } = await client.apps.v1.deployments("default").apply(apply, { fieldManager: "scaler", force: true });
  expect(spec?.replicas).toBe(2);
});

it("dynamic: any resource, by its group, version and name", async () => {
  const object = await client.dynamic(deployments, "default").get("web");
  expect(object).toMatchObject({ kind: "Deployment", spec: { replicas: 2 } });
});

it("metadata: no spec travels", async () => {
  const { items } = await client.metadata(deployments).list({ labelSelector: "app=web" });
  expect(items.map((item) => item.metadata?.name)).toEqual(["web"]);
  expect(items[0]).not.toHaveProperty("spec");
});

it("discovery: what the server serves, and what short names mean", async () => {
  const resource = await client.mapper.resourceFor({ resource: "deploy" });
  expect(resource).toEqual(deployments);
  expect((await client.server.surface()).groups.map(({ name }) => name)).toContain("apps");
});
