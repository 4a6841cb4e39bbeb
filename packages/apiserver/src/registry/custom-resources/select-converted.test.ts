import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient, type InProcessClient } from "../../server/in-process/in-process-client.js";
import { type HookServer, startHookServer } from "../../webhook/hook-server.test.support.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const hosts = (version: string): string => `/apis/example.com/${version}/namespaces/default/hosts`;

interface Host {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly hostPort?: string;
  readonly host?: string;
  readonly port?: string;
}
interface ConversionReview {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: readonly Host[] };
}

/** As upstream's own test has it (test/e2e/apimachinery/crd_selectable_fields.go): v1 has `hostPort`, v2 `host` and `port`. A label names the version. */
function convert({ apiVersion, request }: ConversionReview): object {
  const { uid, desiredAPIVersion, objects } = request;
  const convertedObjects = objects.map(({ hostPort = "", host = "", port = "", metadata, ...rest }) => ({
    ...rest,
    apiVersion: desiredAPIVersion,
    metadata: { ...metadata, labels: { version: desiredAPIVersion.slice(-2) } },
    ...(desiredAPIVersion === "example.com/v1"
      ? { hostPort: `${host}:${port}` }
      : { host: hostPort.split(":")[0], port: hostPort.split(":")[1] }),
  }));
  return { apiVersion, kind: "ConversionReview", response: { uid, result: { status: "Success" }, convertedObjects } };
}

const texts = (...names: readonly string[]) => ({
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    },
  },
  selectableFields: names.map((name) => ({ jsonPath: `.${name}` })),
});

const definition = (hooks: HookServer, stored: string) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "hosts.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "hosts", kind: "Host" },
    versions: [
      { name: "v1", served: true, storage: stored === "v1", ...texts("hostPort") },
      { name: "v2", served: true, storage: stored === "v2", ...texts("host", "port") },
    ],
    conversion: {
      strategy: "Webhook",
      webhook: {
        clientConfig: { url: `https://${hooks.host}/convert`, caBundle: hooks.caBundle },
        conversionReviewVersions: ["v1"],
      },
    },
  },
});

const v2 = (name: string, host: string, port: string): object => ({
  apiVersion: "example.com/v2",
  kind: "Host",
  metadata: { name, labels: { version: "v2" } },
  host,
  port,
});

describe("custom resources are selected in the version of the request", () => {
  let hooks: HookServer;
  let server: ApiServer;
  let admin: InProcessClient;
  let asked = 0;
  beforeAll(async () => {
    hooks = await startHookServer();
    hooks.on("/convert", (body) => {
      asked += 1;
      return convert(body as unknown as ConversionReview);
    });
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const stopped = new AbortController();
    await admin.request({ method: "POST", path: definitions, body: definition(hooks, "v1") });
    for await (const { object } of admin.watch({
      method: "GET",
      path: `${definitions}?watch=1`,
      signal: stopped.signal,
    })) {
      const { status } = object as { status: { conditions?: { type: string; status: string }[] } };
      if (status.conditions?.some(({ type, status }) => type === "Established" && status === "True")) break;
    }
    stopped.abort();
  });
  beforeEach(async () => {
    await admin.request({ method: "DELETE", path: hosts("v1") });
    for (const body of [v2("a", "host1", "80"), v2("b", "host1", "8080"), v2("c", "host2", "80")])
      await admin.request({ method: "POST", path: hosts("v2"), body });
  });
  afterAll(async () => {
    await server.stop();
    await hooks.stop();
  });

  const namesOf = async (path: string): Promise<string[]> => {
    const { items } = (await admin.request({ method: "GET", path })) as { items: Host[] };
    return items.map(({ metadata }) => metadata.name);
  };

  const lists = [
    {
      name: "by one field of a version that is not stored",
      path: `${hosts("v2")}?fieldSelector=host=host1`,
      names: ["a", "b"],
    },
    { name: "by two", path: `${hosts("v2")}?fieldSelector=host=host1,port=80`, names: ["a"] },
    { name: "by what a field is not", path: `${hosts("v2")}?fieldSelector=host!=host1`, names: ["c"] },
    { name: "by a field and a name", path: `${hosts("v2")}?fieldSelector=metadata.name=b,port=8080`, names: ["b"] },
    {
      name: "by a field of the stored version",
      path: `${hosts("v1")}?fieldSelector=hostPort=host1:8080`,
      names: ["b"],
    },
    {
      name: "by a label that the webhook sets",
      path: `${hosts("v2")}?labelSelector=version=v2`,
      names: ["a", "b", "c"],
    },
    { name: "by the label of the stored version", path: `${hosts("v1")}?labelSelector=version=v2`, names: [] },
  ];
  for (const { name, path, names } of lists)
    it(`a list ${name}`, async () => {
      expect(await namesOf(path)).toEqual(names);
    });

  it("a list in pages has full pages", async () => {
    const path = `${hosts("v2")}?fieldSelector=port=80&limit=1`;
    const first = (await admin.request({ method: "GET", path })) as { items: Host[]; metadata: { continue: string } };
    expect(first.items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    expect(await namesOf(`${path}&continue=${first.metadata.continue}`)).toEqual(["c"]);
  });

  it("a second list does not ask the webhook again", async () => {
    await namesOf(`${hosts("v2")}?fieldSelector=host=host1`);
    asked = 0;
    await namesOf(`${hosts("v2")}?fieldSelector=host=host2`);
    expect(asked).toBe(0);
  });

  it("a deletion of what is selected deletes nothing else", async () => {
    await admin.request({ method: "DELETE", path: `${hosts("v2")}?fieldSelector=host=host1,port=80` });
    expect(await namesOf(hosts("v1"))).toEqual(["b", "c"]);
  });

  it("a watch sends what begins to match, changes and ceases to match", async () => {
    const stopped = new AbortController();
    const query = "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    const seen: string[] = [];
    const change = (name: string, body: object) =>
      admin.request({
        method: "PATCH",
        path: `${hosts("v2")}/${name}`,
        headers: { "content-type": "application/merge-patch+json" },
        body,
      });
    const writes = [
      () => change("c", { host: "host1" }),
      () => change("c", { port: "81" }),
      () => change("a", { host: "host2" }),
      () => admin.request({ method: "DELETE", path: `${hosts("v1")}/b` }),
    ];
    for await (const { type, object } of admin.watch({
      method: "GET",
      path: `${hosts("v2")}?${query}&fieldSelector=host=host1`,
      signal: stopped.signal,
    })) {
      const { apiVersion, metadata, host, port } = object as Host;
      seen.push(type === "BOOKMARK" ? type : `${type} ${apiVersion} ${metadata.name} ${host}:${port}`);
      if (type !== "BOOKMARK" && seen.length < 4) continue;
      const write = writes.shift();
      if (!write) break;
      await write();
    }
    stopped.abort();
    expect(seen).toEqual([
      "ADDED example.com/v2 a host1:80",
      "ADDED example.com/v2 b host1:8080",
      "BOOKMARK",
      "ADDED example.com/v2 c host1:80",
      "MODIFIED example.com/v2 c host1:81",
      "DELETED example.com/v2 a host1:80",
      "DELETED example.com/v2 b host1:8080",
    ]);
  });

  it("objects that were stored in an earlier version are selected by today's fields", async () => {
    await admin.request({
      method: "PATCH",
      path: `${definitions}/hosts.example.com`,
      headers: { "content-type": "application/merge-patch+json" },
      body: { spec: { versions: definition(hooks, "v2").spec.versions } },
    });
    await expect.poll(() => namesOf(`${hosts("v2")}?fieldSelector=host=host1`)).toEqual(["a", "b"]);
    await expect.poll(() => namesOf(`${hosts("v1")}?fieldSelector=hostPort=host2:80`)).toEqual(["c"]);
  });
});
