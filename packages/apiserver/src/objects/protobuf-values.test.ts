import { builtInTypes } from "@coxswain/api/tables";
import { walk } from "@coxswain/apimachinery/json";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { encodeProtobufObject } from "@coxswain/apimachinery/protobuf";
import { builtInKinds } from "@coxswain/kinds";
import { systemRuntime } from "@coxswain/runtime";
import { damagedValue, passOn } from "@coxswain/storage";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startApiServer } from "../server/compose/api-server.js";
import { createInProcessClient } from "../server/in-process/in-process-client.js";
import { createOwnForm } from "./decode-protobuf-value.js";
import { encodeStored } from "./encode-stored.js";
import { readProtobufValues } from "./protobuf-values.js";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const json = (value: Uint8Array | undefined): unknown => JSON.parse(new TextDecoder().decode(value));
const typeOf = (group: string, version: string, kind: string) =>
  builtInTypes.get(`io.k8s.api.${group}.${version}.${kind}`);

const configMap = {
  kind: "ConfigMap",
  apiVersion: "v1",
  metadata: {
    name: "kept",
    namespace: "default",
    uid: "u",
    creationTimestamp: "2024-01-01T00:00:00Z",
    labels: { app: "x" },
  },
  data: { a: "1" },
};
const autoscaler = {
  kind: "HorizontalPodAutoscaler",
  apiVersion: "autoscaling/v1",
  metadata: { name: "web", namespace: "default" },
  spec: {
    scaleTargetRef: { kind: "Deployment", name: "web", apiVersion: "apps/v1" },
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 50,
  },
  status: { currentReplicas: 1, desiredReplicas: 1 },
};

describe("values of another server", () => {
  async function kept(values: Readonly<Record<string, Uint8Array>>) {
    const store = createMemoryStore({ runtime: systemRuntime() });
    for (const [key, value] of Object.entries(values)) await store.put({ key, value, expected: 0 });
    return store;
  }

  it("a value that is damaged on the disk is one that cannot be read", async () => {
    const key = "/registry/configmaps/default/kept";
    const inner = await kept({ [key]: bytes(JSON.stringify(configMap)) });
    const store = readProtobufValues(
      {
        ...passOn(inner),
        async range(query) {
          const result = await inner.range(query);
          const records = result.records.map((record) => ({
            ...record,
            value: bytes(""),
            unreadable: damagedValue(record, "its checksum differs"),
          }));
          return { ...result, records };
        },
      },
      builtInKinds,
    );
    const { records } = await store.range({ prefix: "/registry/" });
    expect(records.map(({ unreadable }) => unreadable?.step)).toEqual(["read"]);
    await inner.close();
  });

  it("what this server writes is known as its own, of every kind", () => {
    for (const kind of builtInKinds) {
      const { value } = encodeStored(
        kind,
        walk(
          { kind: kind.kind, apiVersion: formatGroupVersion(kind), metadata: { name: "a" } },
          kind.schema,
        ) as KubernetesObject,
      );
      expect([kind.kind, createOwnForm(kind)(value)]).toEqual([kind.kind, true]);
    }
  });

  it("protobuf is read, and written anew at the next chance", async () => {
    const store = await kept({
      "/registry/configmaps/default/kept": encodeProtobufObject(configMap, typeOf("core", "v1", "ConfigMap")),
    });
    const server = await startApiServer({ runtime: systemRuntime(), store });
    const admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const path = "/api/v1/namespaces/default/configmaps";
    const found = (await admin.request({ method: "GET", path: `${path}/kept` })) as typeof configMap;
    expect(found).toMatchObject(configMap);
    expect(await admin.request({ method: "GET", path: `${path}?labelSelector=app%3Dx` })).toMatchObject({
      items: [{ metadata: { name: "kept" } }],
    });
    await admin.request({ method: "PUT", path: `${path}/kept`, body: found });
    expect(json((await store.get("/registry/configmaps/default/kept"))?.value)).toMatchObject(configMap);
    await server.stop();
  });

  it("protobuf that another server writes meanwhile is seen by watches", async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    const server = await startApiServer({ runtime: systemRuntime(), store });
    const admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const stop = new AbortController();
    const watch = admin.watch({
      method: "GET",
      path: "/api/v1/namespaces/default/configmaps?watch=1&fieldSelector=metadata.name%3Dkept",
      signal: stop.signal,
    });
    const first = watch[Symbol.asyncIterator]().next();
    await store.put({
      key: "/registry/configmaps/default/kept",
      value: encodeProtobufObject(configMap, typeOf("core", "v1", "ConfigMap")),
      expected: 0,
    });
    expect((await first).value).toMatchObject({ type: "ADDED", object: configMap });
    stop.abort();
    await server.stop();
  });

  const hub = builtInKinds.find(({ resource }) => resource === "horizontalpodautoscalers")!;
  for (const [form, value] of [
    ["protobuf", encodeProtobufObject(autoscaler, typeOf("autoscaling", "v1", "HorizontalPodAutoscaler"))],
    ["JSON", bytes(`${JSON.stringify(autoscaler)}\n`)],
  ] as const) {
    it(`${form} of an older version is converted, and stale`, async () => {
      const store = readProtobufValues(
        await kept({ "/registry/horizontalpodautoscalers/default/web": value }),
        builtInKinds,
      );
      const record = await store.get("/registry/horizontalpodautoscalers/default/web");
      expect(record?.stale).toBe(true);
      expect(json(record?.value)).toMatchObject({
        apiVersion: formatGroupVersion(hub),
        spec: {
          maxReplicas: 3,
          metrics: [{ type: "Resource", resource: { name: "cpu", target: { averageUtilization: 50 } } }],
        },
      });
    });
  }

  it("what nobody can read is named by its key, and ends neither a range nor a watch", async () => {
    const key = "/registry/configmaps/default/odd";
    const store = readProtobufValues(
      await kept({ [key]: bytes('{"kind":"ConfigMap","apiVersion":"v9"}') }),
      builtInKinds,
    );
    const message = "v9 ConfigMap is no version of ConfigMap that this server can read";
    const unreadable = { step: "decode", message };
    await expect(store.get(key)).rejects.toThrow(`unable to decode key "${key}": ${message}`);
    expect((await store.range({ prefix: "/registry/configmaps/" })).records).toMatchObject([{ key, unreadable }]);
    const stop = new AbortController();
    const seen: unknown[] = [];
    await store.watch(
      { prefix: "/registry/", from: 1 },
      (events) => {
        seen.push(...events);
        if (seen.length > 0) stop.abort();
      },
      stop.signal,
    );
    expect(seen).toMatchObject([{ key, record: { unreadable } }]);
  });

  it("what somebody encrypted is refused with the key's name, where nothing is decrypted", async () => {
    const key = "/registry/secrets/default/s";
    const store = readProtobufValues(await kept({ [key]: bytes("k8s:enc:aescbc:v1:key7:xxxx") }), builtInKinds);
    expect((await store.range({ prefix: "/registry/" })).records).toMatchObject([
      {
        key,
        unreadable: {
          step: "transform",
          message:
            'identity transformer tried to read encrypted data (the value was written by provider aescbc with key "key7")',
        },
      },
    ]);
  });

  it("what is of no kind stays as it is", async () => {
    const store = readProtobufValues(await kept({ "/registry/ranges/serviceips": Uint8Array.of(1, 2) }), builtInKinds);
    expect(await store.get("/registry/ranges/serviceips")).toMatchObject({ value: Uint8Array.of(1, 2) });
  });
});
