import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { systemRuntime } from "@coxswain/runtime";
import { runAtOnce } from "@coxswain/runtime/steps";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";
import { leastBytesOfFields, maxStoredBytes } from "./stored-size.js";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const sets = "/apis/example.com/v1/sets";
const texts = (n: number): string[] => Array.from({ length: n }, (_, at) => `${at}`.padStart(600, "x"));

describe("what is too large to be stored", () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    const list = { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } };
    await send("POST", definitions, {
      metadata: { name: "sets.example.com" },
      spec: {
        group: "example.com",
        scope: "Cluster",
        names: { plural: "sets", singular: "set", kind: "Set" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: "object", properties: { list } } },
          },
        ],
      },
    });
    while ((await send("GET", sets)).code === 404) await new Promise((resolve) => setTimeout(resolve, 5));
  });
  afterAll(() => server.stop());

  async function send(method: string, path: string, sent?: object): Promise<{ code: number; object: Answer }> {
    const request = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
    const type = path.includes("fieldManager") ? "application/apply-patch+yaml" : "application/json";
    const body = new TextEncoder().encode(sent === undefined ? "" : JSON.stringify(sent));
    const signal = new AbortController().signal;
    const answer = await request({ method, path, headers: { "content-type": type }, body, signal });
    let text = "";
    for await (const chunk of answer.body) text += new TextDecoder().decode(chunk);
    return { code: answer.status, object: (text.startsWith("{") ? JSON.parse(text) : {}) as Answer };
  }
  const set = (name: string, list: readonly string[], resourceVersion?: string) => ({
    apiVersion: "example.com/v1",
    kind: "Set",
    metadata: { name, ...(resourceVersion !== undefined && { resourceVersion }) },
    list,
  });
  /** 1.6 MB, and as much of managed fields. */
  const many = texts(2_700);

  it("a creation is stored without its managed fields when it is too large with them", async () => {
    const { code, object } = await send("POST", sets, set("created", many));
    expect([code, object.list?.length, object.metadata?.managedFields]).toEqual([201, many.length, undefined]);
  });

  it("so is an update; one that changes nothing is no write", async () => {
    const created = await send("POST", sets, set("updated", ["a"]));
    expect(created.object.metadata?.managedFields?.length).toBe(1);
    const version = created.object.metadata?.resourceVersion;
    const { code, object } = await send("PUT", `${sets}/updated`, set("updated", many, version));
    expect([code, object.list?.length, object.metadata?.managedFields]).toEqual([200, many.length, undefined]);
    const again = await send("PUT", `${sets}/updated`, set("updated", many, object.metadata?.resourceVersion));
    expect(again.object.metadata?.resourceVersion).toBe(object.metadata?.resourceVersion);
  });

  it("server-side apply, which needs managed fields, is refused in etcd's words", async () => {
    const { code, object } = await send("PATCH", `${sets}/applied?fieldManager=m`, set("applied", many));
    expect([code, object.message]).toEqual([500, "etcdserver: request is too large"]);
  });

  it("managed fields that are too large by themselves are recognized before they are encoded", () => {
    const fieldsV1 = Object.fromEntries(texts(maxStoredBytes / 600).map((text) => [`v:"${text}"`, {}]));
    const object = {
      metadata: { managedFields: [{ fieldsV1: { "f:list": fieldsV1 } }] },
    } as unknown as KubernetesObject;
    const bytes = runAtOnce(leastBytesOfFields(object));
    expect(bytes).toBeGreaterThan(maxStoredBytes);
    expect(bytes).toBeLessThan(JSON.stringify(object).length);
  });
});

interface Answer {
  readonly message?: string;
  readonly list?: readonly string[];
  readonly metadata?: { readonly resourceVersion?: string; readonly managedFields?: readonly object[] };
}
