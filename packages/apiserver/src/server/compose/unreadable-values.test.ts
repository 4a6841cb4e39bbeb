import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isStatusError, type StatusError } from "@coxswain/apimachinery/status";
import { systemRuntime } from "@coxswain/runtime";
import type { Logger } from "@coxswain/runtime/log";
import { systemRandom } from "@coxswain/runtime/random";
import type { KeyValueStore } from "@coxswain/storage";
import {
  createAesGcm,
  encryptStore,
  firstOf,
  identityTransformer,
  type Transformer,
} from "@coxswain/storage/encryption";
import { openLmdbStore } from "@coxswain/storage/lmdb";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterEach, describe, expect, it } from "vitest";
import { createInProcessClient, type InProcessClient } from "../in-process/in-process-client.js";
import { processRequest } from "../in-process/process-request.js";
import { type ApiServer, startApiServer } from "./api-server.js";
import type { ApiServerOptions } from "./api-server-options.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const configMaps = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string, data: Record<string, string> = {}): unknown => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});
const badKey = "/registry/configmaps/default/bad";
const unsafe = { ignoreStoreReadErrorWithClusterBreakingPotential: true };
const gateOn = { api: { featureGates: new Map([["AllowUnsafeMalformedObjectDeletion", "true"]]) } };

const garbage = [
  { name: "text that is nothing", value: "garbage" },
  { name: "an empty value", value: "" },
  { name: "a value that ends in the middle", value: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"bad"' },
  { name: "broken JSON between a right beginning and a right end", value: '{"kind":"ConfigMap","apiVersion":"v1",}' },
  {
    name: "broken JSON behind the metadata",
    value: '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"bad","namespace":"default"},"data":{"a":}}',
  },
  { name: "an object of another kind", value: '{"kind":"Secret","apiVersion":"v1","metadata":{"name":"bad"}}' },
  { name: "damaged protobuf", value: "k8s\0\x0a\x0f\x0a\x02v1\x12\x09ConfigMap\x12\xff\xff" },
  { name: "a value that nobody here can decrypt", value: "k8s:enc:aescbc:v1:lost:xxxx" },
];

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

const stores: Readonly<Record<string, () => Promise<KeyValueStore>>> = {
  "the memory store": async () => createMemoryStore({ runtime: systemRuntime() }),
  "the lmdb store": async () => {
    const directory = mkdtempSync(join(tmpdir(), "coxswain-unreadable-"));
    const store = await openLmdbStore({ directory, runtime: systemRuntime(), compaction: "off", reserveBytes: 0 });
    stops.push(async () => {
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    });
    return store;
  },
};

/** As the command does without a configuration: nothing is encrypted, and what somebody encrypted is refused. */
const plain = (store: KeyValueStore): KeyValueStore => encryptStore(store, () => identityTransformer);

async function start(store: KeyValueStore, options: Partial<ApiServerOptions> = {}): Promise<ApiServer> {
  const server = await startApiServer({ runtime: systemRuntime(), store: plain(store), ...options });
  stops.push(() => server.stop());
  return server;
}

const clientOf = (server: ApiServer, name = "admin", groups = ["system:masters"]): InProcessClient =>
  createInProcessClient(server, { user: { name, groups } });

async function textOf(server: ApiServer, path: string): Promise<string> {
  const { answer } = await server.answer(
    processRequest({
      method: "GET",
      target: path,
      headers: {},
      body: { as: "bytes", read: () => new Uint8Array(0) },
      signal: new AbortController().signal,
      caller: { via: "process", user: { name: "admin", groups: ["system:masters"] } },
    }),
  );
  return answer.as === "document" ? new TextDecoder().decode(answer.bytes) : "";
}

async function refusal(work: Promise<unknown>): Promise<StatusError["status"]> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isStatusError(error)) throw new Error("it was not refused", { cause: error });
  return error.status;
}

async function damage(store: KeyValueStore, key: string, value: Uint8Array = bytes("garbage")): Promise<void> {
  const current = await store.get(key);
  await store.put({ key, value, expected: current?.revision ?? 0 });
}

/** Repeats until it holds: a retry of the server's own is on its way. */
async function eventually<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries > 400) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

for (const [engine, open] of Object.entries(stores)) {
  describe(`a value that cannot be read, in ${engine}`, () => {
    const request = (client: InProcessClient, method: string, path: string, body?: unknown): Promise<unknown> =>
      client.request({ method, path, ...(body === undefined ? {} : { body }) });

    for (const { name, value } of engine === "the memory store" ? garbage : garbage.slice(0, 1))
      it(`${name}, before the start: is the error of its object and of its kind's list, and of nothing else`, async () => {
        const store = await open();
        await store.put({ key: badKey, value: Buffer.from(value, "latin1"), expected: 0 });
        const admin = clientOf(await start(store));
        expect((await refusal(request(admin, "GET", `${configMaps}/bad`))).message).toContain(`key "${badKey}"`);
        expect(await refusal(request(admin, "GET", configMaps))).toMatchObject({
          code: 429,
          reason: "TooManyRequests",
          details: { retryAfterSeconds: 1 },
        });
        expect(await refusal(request(admin, "GET", `${configMaps}?limit=500`))).toMatchObject({ code: 500 });
        expect(await request(admin, "GET", "/api/v1/namespaces/kube-system/configmaps?limit=500")).toMatchObject({
          kind: "ConfigMapList",
        });
        expect(await request(admin, "GET", "/api/v1/namespaces?limit=500")).toMatchObject({ kind: "NamespaceList" });
        expect(await request(admin, "GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles")).toMatchObject({
          kind: "ClusterRoleList",
        });
        await request(admin, "POST", configMaps, configMap("good", { a: "1" }));
        expect(await request(admin, "GET", `${configMaps}/good`)).toMatchObject({ data: { a: "1" } });
        await request(admin, "PUT", `${configMaps}/good`, configMap("good", { a: "2" }));
        await request(admin, "DELETE", `${configMaps}/good`);
        expect(await refusal(request(admin, "POST", configMaps, configMap("bad")))).toMatchObject({
          reason: "AlreadyExists",
        });
        expect(await refusal(request(admin, "PUT", `${configMaps}/bad`, configMap("bad")))).toMatchObject({
          code: 500,
        });
        expect(await refusal(request(admin, "DELETE", `${configMaps}/bad`))).toMatchObject({ code: 500 });
        expect(await refusal(request(admin, "DELETE", configMaps))).toMatchObject({ code: 429 });
      });

    it("while watches are open: ends those of its kind, refuses new ones, and leaves others alone", async () => {
      const store = await open();
      const admin = clientOf(await start(store));
      await request(admin, "POST", configMaps, configMap("good"));
      await request(admin, "POST", configMaps, configMap("bad"));
      const seen: string[] = [];
      const other = new AbortController();
      const ended = (async () => {
        for await (const { type, object } of admin.watch({ method: "GET", path: `${configMaps}?watch=1` }))
          seen.push(`${type} ${(object as { metadata: { name: string } }).metadata.name}`);
      })();
      const secrets: string[] = [];
      const others = (async () => {
        const path = "/api/v1/namespaces/default/secrets?watch=1";
        for await (const { type } of admin.watch({ method: "GET", path, signal: other.signal })) {
          secrets.push(type);
          other.abort();
        }
      })();
      await eventually(async () => expect(seen.length).toBe(2));
      await damage(store, badKey);
      await ended;
      expect(
        await refusal(
          (async () => {
            for await (const _ of admin.watch({ method: "GET", path: `${configMaps}?watch=1` }));
          })(),
        ),
      ).toMatchObject({
        code: 429,
        message: `storage is (re)initializing: failed to list *core.ConfigMap: unable to decode key "${badKey}": couldn't get version/kind; json parse error: invalid character 'g' looking for beginning of value`,
      });
      await request(admin, "POST", "/api/v1/namespaces/default/secrets", {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "s" },
      });
      await others.catch(() => {});
      expect(secrets).toEqual(["ADDED"]);
      expect(seen).toEqual(["ADDED bad", "ADDED good"]);
    });

    it("recovers when somebody writes the value anew, and earlier watches begin anew", async () => {
      const store = await open();
      const admin = clientOf(await start(store));
      const created = (await request(admin, "POST", configMaps, configMap("bad", { a: "1" }))) as {
        metadata: { resourceVersion: string };
      };
      const right = (await store.get(badKey))!;
      await damage(store, badKey);
      expect(await refusal(request(admin, "GET", configMaps))).toMatchObject({ code: 429 });
      await damage(store, badKey, right.value);
      expect(await request(admin, "GET", `${configMaps}/bad`)).toMatchObject({ data: { a: "1" } });
      expect(await request(admin, "GET", configMaps)).toMatchObject({ items: [{ data: { a: "1" } }] });
      const path = `${configMaps}?watch=1&resourceVersion=${created.metadata.resourceVersion}`;
      expect(
        await refusal(
          (async () => {
            for await (const _ of admin.watch({ method: "GET", path }));
          })(),
        ),
      ).toMatchObject({ code: 410 });
    });

    it("recovers when somebody deletes the key, and when a server starts again meanwhile", async () => {
      const store = await open();
      await damage(store, badKey);
      const first = await start(store);
      const admin = clientOf(await start(store));
      await first.stop();
      const { revision } = (await store.get(badKey))!;
      await store.delete({ key: badKey, expected: revision });
      expect(await request(admin, "GET", configMaps)).toMatchObject({ items: [] });
      expect(await refusal(request(admin, "GET", `${configMaps}/bad`))).toMatchObject({ reason: "NotFound" });
    });

    it("is deleted by upstream's option only where the gate is on", async () => {
      const store = await open();
      await damage(store, badKey);
      const admin = clientOf(await start(store));
      expect(await refusal(request(admin, "DELETE", `${configMaps}/bad`, unsafe))).toMatchObject({ code: 500 });
      expect(await store.get(badKey)).toBeDefined();
    });

    it("is deleted by upstream's option, with the gate, and its kind serves again", async () => {
      const store = await open();
      await damage(store, badKey);
      const admin = clientOf(await start(store, gateOn));
      expect((await refusal(request(admin, "GET", `${configMaps}/bad`))).message).toMatch(
        /^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/configmaps\/default\/bad, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=\d+: /,
      );
      const list = await refusal(request(admin, "GET", `${configMaps}?limit=1`));
      expect(list).toMatchObject({
        code: 500,
        reason: "StoreReadError",
        message: "failed to read one or more configmaps from the storage",
        details: { kind: "configmaps", name: "list", causes: [{ reason: "UnexpectedServerResponse", field: badKey }] },
      });
      await request(admin, "POST", configMaps, configMap("good"));
      expect(await refusal(request(admin, "DELETE", `${configMaps}/good`, unsafe))).toMatchObject({
        code: 422,
        message:
          'configmaps "good" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option',
      });
      expect(await refusal(request(admin, "DELETE", configMaps, unsafe))).toMatchObject({
        code: 422,
        message:
          'DeleteOptions.meta.k8s.io "" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option',
      });
      expect(
        await refusal(request(admin, "DELETE", `${configMaps}/bad`, { ...unsafe, gracePeriodSeconds: 0 })),
      ).toMatchObject({
        code: 422,
        message: expect.stringContaining("cannot be set together with .gracePeriodSeconds"),
      });
      expect(await request(admin, "DELETE", `${configMaps}/bad`, unsafe)).toMatchObject({
        kind: "Status",
        status: "Success",
        code: 200,
        details: { name: "bad", kind: "ConfigMap" },
      });
      expect(await store.get(badKey)).toBeUndefined();
      expect(await request(admin, "GET", configMaps)).toMatchObject({ items: [{ metadata: { name: "good" } }] });
    });

    it("is deleted by upstream's option only by whom the verb of its own was granted to", async () => {
      const store = await open();
      await damage(store, badKey);
      const server = await start(store, gateOn);
      const admin = clientOf(server);
      const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
      const grant = async (name: string, verb: string): Promise<void> => {
        await request(admin, "POST", `${rbac}/roles`, {
          metadata: { name },
          rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: [verb] }],
        });
        await request(admin, "POST", `${rbac}/rolebindings`, {
          metadata: { name },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
          subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
        });
      };
      const alice = clientOf(server, "alice", ["system:authenticated"]);
      await grant("deleter", "delete");
      const refused = await refusal(request(alice, "DELETE", `${configMaps}/bad`, unsafe));
      expect(refused).toMatchObject({ code: 403, reason: "Forbidden" });
      expect(refused.message).toContain('not permitted to do "unsafe-delete-ignore-read-errors", reason: ');
      expect(await store.get(badKey)).toBeDefined();
      await grant("unsafe", "unsafe-delete-ignore-read-errors");
      await request(alice, "DELETE", `${configMaps}/bad`, unsafe);
      expect(await store.get(badKey)).toBeUndefined();
    });

    it("is counted and logged, a bounded number of times", async () => {
      const store = await open();
      const lines: string[] = [];
      const log = (message: string): void => void lines.push(message);
      const logger = { debug: () => {}, info: log, warn: log, error: log } as unknown as Logger;
      const server = await start(store, { runtime: systemRuntime({ log: logger }) });
      for (let index = 0; index < 200; index += 1) await damage(store, `/registry/configmaps/default/bad${index}`);
      const about = lines.filter((line) => line.includes("cannot be read"));
      expect(about.length).toBeGreaterThan(0);
      expect(about.length).toBeLessThanOrEqual(10);
      const metrics = await textOf(server, "/metrics");
      expect(metrics).toContain('apiserver_storage_decode_errors_total{group="",resource="configmaps"} 200');
      expect(metrics).toContain('coxswain_storage_unreadable_objects{group="",resource="configmaps"} 200');
      expect(await textOf(server, "/readyz")).toBe("ok");
    });
  });
}

describe("encryption keys that this server does not have", () => {
  const secrets = "/api/v1/namespaces/default/secrets";
  const key = "/registry/secrets/default/s";
  const gcm = (...keys: number[]): Transformer =>
    firstOf(
      [
        ...keys.map((one) => ({
          prefix: `k8s:enc:aesgcm:v1:key${one}:`,
          transformer: createAesGcm(new Uint8Array(32).fill(one), systemRandom),
        })),
        { prefix: "", transformer: identityTransformer },
      ],
      "no matching prefix found",
    );
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, stringData: { a: "b" } };

  it("another server writes with a key that is not here: this one serves all else, and the secret once the key is there", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    let mine = gcm(1);
    const one = await startApiServer({ runtime: systemRuntime(), store: encryptStore(store, () => mine) });
    const two = await startApiServer({ runtime: systemRuntime(), store: encryptStore(store, () => gcm(2, 1)) });
    stops.push(
      () => one.stop(),
      () => two.stop(),
    );
    const [here, there] = [clientOf(one), clientOf(two)];
    await there.request({ method: "POST", path: secrets, body: secret });
    await there.request({ method: "POST", path: configMaps, body: configMap("seen") });
    const message = `unable to transform key "${key}": no matching prefix found (the value was written by provider aesgcm with key "key2")`;
    expect(await refusal(here.request({ method: "GET", path: `${secrets}/s` }))).toMatchObject({
      code: 500,
      reason: "InternalError",
      message: `Internal error occurred: ${message}`,
    });
    expect(await refusal(here.request({ method: "GET", path: `${secrets}?limit=500` }))).toMatchObject({
      code: 500,
      message: `Internal error occurred: ${message}`,
    });
    expect(await refusal(here.request({ method: "GET", path: secrets }))).toMatchObject({
      code: 429,
      message: `storage is (re)initializing: failed to list *core.Secret: ${message}`,
    });
    expect(await there.request({ method: "GET", path: `${secrets}/s` })).toMatchObject({ metadata: { name: "s" } });
    mine = gcm(1, 2);
    await eventually(() => here.request({ method: "GET", path: secrets }));
    expect(await here.request({ method: "GET", path: `${secrets}/s` })).toMatchObject({ data: { a: "Yg==" } });
  });

  it("the key comes back, and who had asked before is served by what followed the caches inside", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const first = await startApiServer({ runtime: systemRuntime(), store: encryptStore(store, () => gcm(1)) });
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "tides.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "tides", kind: "Tide" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    };
    await clientOf(first).request({ method: "POST", path, body: definition });
    const tides = "/apis/example.com/v1/tides";
    await eventually(() => clientOf(first).request({ method: "GET", path: tides }));
    await first.stop();
    const isDefinition = (name: string): boolean => name.endsWith("/tides.example.com");
    let definitions = gcm(2);
    const second = await startApiServer({
      runtime: systemRuntime(),
      store: encryptStore(store, (name) => (isDefinition(name) ? definitions : gcm(1))),
    });
    stops.push(() => second.stop());
    expect(await refusal(clientOf(second).request({ method: "GET", path: tides }))).toMatchObject({ code: 404 });
    definitions = gcm(1);
    await eventually(() => clientOf(second).request({ method: "GET", path: tides }));
  });
});

describe("objects that the server itself rests on", () => {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const role = {
    metadata: { name: "readers" },
    rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] }],
  };
  const binding = {
    metadata: { name: "readers" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "readers" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
  };
  const other = { ...binding, metadata: { name: "others" }, roleRef: { ...binding.roleRef, name: "others" } };
  const wrongTypes = bytes(
    '{"kind":"ClusterRole","apiVersion":"rbac.authorization.k8s.io/v1","metadata":{"name":"readers"},"rules":5}',
  );

  for (const when of ["while it runs", "before it starts"] as const)
    for (const [what, key, value] of [
      ["ClusterRole", "/registry/clusterroles/readers", bytes("garbage")],
      ["ClusterRole of wrong types", "/registry/clusterroles/readers", wrongTypes],
      ["ClusterRoleBinding", "/registry/clusterrolebindings/readers", bytes("garbage")],
    ] as const)
      it(`a damaged ${what} grants nothing ${when}, and the others grant what they did`, async () => {
        const store = createMemoryStore({ runtime: systemRuntime() });
        let server = await start(store);
        const admin = clientOf(server);
        const post = (path: string, body: unknown): Promise<unknown> => admin.request({ method: "POST", path, body });
        await post(`${rbac}/clusterroles`, role);
        await post(`${rbac}/clusterrolebindings`, binding);
        await post(`${rbac}/clusterroles`, {
          metadata: { name: "others" },
          rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["list"] }],
        });
        await post(`${rbac}/clusterrolebindings`, other);
        const asAlice = (path: string): Promise<unknown> =>
          clientOf(server, "alice", ["system:authenticated"]).request({ method: "GET", path });
        await asAlice(configMaps);
        if (when === "before it starts") await server.stop();
        await damage(store, key, value);
        if (when === "before it starts") server = await start(store);
        expect(await refusal(asAlice(configMaps))).toMatchObject({ code: 403 });
        await asAlice("/api/v1/namespaces/default/pods");
      });

  /** By the resource of the metric. */
  const kinds = [
    ["clusterroles", "/registry/clusterroles/cluster-admin"],
    ["clusterrolebindings", "/registry/clusterrolebindings/system:basic-user"],
    ["namespaces", "/registry/namespaces/kube-system"],
    ["services", "/registry/services/specs/default/kubernetes"],
    ["ipaddresses", "/registry/ipaddresses/10.96.0.1"],
    ["servicecidrs", "/registry/servicecidrs/kubernetes"],
    ["flowschemas", "/registry/flowschemas/catch-all"],
    ["prioritylevelconfigurations", "/registry/prioritylevelconfigurations/global-default"],
    ["priorityclasses", "/registry/priorityclasses/system-node-critical"],
    ["apiservices", "/registry/apiregistration.k8s.io/apiservices/v1.apps"],
    ["customresourcedefinitions", "/registry/apiextensions.k8s.io/customresourcedefinitions/tides.example.com"],
    ["configmaps", "/registry/configmaps/kube-system/extension-apiserver-authentication"],
    ["nodes", "/registry/minions/n1"],
    ["pods", "/registry/pods/default/p"],
    ["events", "/registry/events/default/e"],
    ["leases", "/registry/leases/kube-system/l"],
    ["serviceaccounts", "/registry/serviceaccounts/default/default"],
    ["resourcequotas", "/registry/resourcequotas/other/q"],
  ] as const;
  const create = (server: ApiServer, name: string): Promise<unknown> =>
    clientOf(server).request({
      method: "POST",
      path: "/api/v1/namespaces/default/secrets",
      body: { apiVersion: "v1", kind: "Secret", metadata: { name } },
    });

  it("the record of node ports, and keys of no resource, are no concern of others", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    await damage(store, "/registry/ranges/servicenodeports");
    await damage(store, "/registry/nothing/at/all");
    const server = await start(store);
    await create(server, "one");
    expect(
      (
        await refusal(
          clientOf(server).request({
            method: "POST",
            path: "/api/v1/namespaces/default/services",
            body: { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } },
          }),
        )
      ).message,
    ).toContain('unable to decode key "/registry/ranges/servicenodeports"');
  });

  it("nothing ends the server, whichever of its objects are damaged, before the start or after it", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const first = await start(store);
    for (const [, key] of kinds) await damage(store, key);
    await create(first, "one");
    await first.stop();
    const second = await start(store);
    await create(second, "two");
    for (const [, key] of kinds) await damage(store, key);
    await create(second, "three");
    const admin = clientOf(second);
    expect(await admin.request({ method: "GET", path: "/api/v1/namespaces/default/secrets" })).toMatchObject({
      kind: "SecretList",
    });
    expect(await textOf(second, "/livez")).toBe("ok");
    expect(await textOf(second, "/readyz")).toBe("ok");
    const metrics = await textOf(second, "/metrics");
    for (const [resource] of kinds) expect(metrics).toContain(`resource="${resource}"} 1`);
  });

  it("controllers of other objects work, and a custom object that is damaged is the error of its own resource", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    for (const [resource, key] of kinds) if (resource !== "customresourcedefinitions") await damage(store, key);
    const admin = clientOf(await start(store));
    for (const plural of ["tides", "moons"])
      await admin.request({
        method: "POST",
        path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        body: {
          metadata: { name: `${plural}.example.com` },
          spec: {
            group: "example.com",
            scope: "Cluster",
            names: { plural, kind: plural },
            versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
          },
        },
      });
    const list = (plural: string): Promise<unknown> =>
      admin.request({ method: "GET", path: `/apis/example.com/v1/${plural}` });
    await eventually(() => list("tides"));
    await eventually(() => list("moons"));
    await damage(store, "/registry/example.com/tides/bad");
    expect(await refusal(list("tides"))).toMatchObject({ code: 429 });
    expect(await list("moons")).toMatchObject({ items: [] });
  });

  it("a namespace that was never readable takes no objects", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    await damage(store, "/registry/namespaces/dark");
    const admin = clientOf(await start(store));
    expect(
      await refusal(
        admin.request({ method: "POST", path: "/api/v1/namespaces/dark/configmaps", body: configMap("c") }),
      ),
    ).toMatchObject({ code: 500 });
  });

  it("a quota that was never readable refuses what it may limit, in its namespace only", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    await damage(store, "/registry/resourcequotas/default/q");
    const admin = clientOf(await start(store));
    expect(await refusal(admin.request({ method: "POST", path: configMaps, body: configMap("c") }))).toMatchObject({
      code: 500,
    });
    await admin.request({
      method: "POST",
      path: "/api/v1/namespaces/kube-system/configmaps",
      body: configMap("c"),
    });
  });

  it("a webhook configuration that was never readable refuses writes, but not its own removal", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const key = "/registry/validatingwebhookconfigurations/strict";
    await damage(store, key);
    const admin = clientOf(await start(store, gateOn));
    expect((await refusal(admin.request({ method: "POST", path: configMaps, body: configMap("c") }))).code).not.toBe(
      200,
    );
    await admin.request({
      method: "DELETE",
      path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/strict",
      body: unsafe,
    });
    await admin.request({ method: "POST", path: configMaps, body: configMap("c") });
  });
});
