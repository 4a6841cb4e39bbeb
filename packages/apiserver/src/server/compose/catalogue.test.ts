import { builtInTypes } from "@coxswain/api/tables";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { nodeFromStructuralSchema } from "@coxswain/apimachinery/structural-schema";
import type { AnyKind, ResourceFacts, StoredForm } from "@coxswain/kinds";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ServedResourceKinds } from "../../registry/custom-resources/served-custom-kinds.js";
import { createInProcessClient, type InProcessClient } from "../in-process/in-process-client.js";
import { type ApiServer, startApiServer } from "./api-server.js";

const group = "boats.example.com";
const objectMeta = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");

const facts: ResourceFacts = {
  singular: "boat",
  shortNames: ["bt"],
  categories: ["all"],
  verbs: ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"],
  subresources: [],
  hash: "abc=",
};

const schemaOf = (member: string) => ({
  type: "object",
  properties: { spec: { type: "object", properties: { [member]: { type: "integer" } } } },
});

function boat(version: string, member: string, storedForm?: StoredForm): AnyKind {
  const openAPIV3Schema = schemaOf(member);
  return {
    group,
    version,
    kind: "Boat",
    listKind: "BoatList",
    resource: "boats",
    namespaced: true,
    storagePrefix: `${group}/boats`,
    facts: { ...facts, custom: { openAPIV3Schema } },
    schema: nodeFromStructuralSchema(openAPIV3Schema, { group, version, kind: "Boat", objectMeta }),
    strategy: { resetFields: [] },
    views: {},
    columns: {
      columns: [{ name: "Name", type: "string", format: "name", description: "", priority: 0 }],
      cells: (object) => [object.metadata.name],
    },
    ...(storedForm && { storedForm }),
  };
}

type Boat = KubernetesObject & { spec: { length?: number; size?: number } };

/** v1 calls it `length` and is stored; v2 calls it `size`. Conversion takes a while, as a webhook's does. */
function twoVersions(): ServedResourceKinds & { readonly batches: number[] } {
  const batches: number[] = [];
  const form: StoredForm = {
    apiVersion: `${group}/v1`,
    apiVersions: [`${group}/v1`, `${group}/v2`],
    convertsLabels: false,
    typesOf: (apiVersion) => ({ [`${group}/v1`]: v1, [`${group}/v2`]: v2 })[apiVersion],
    async convert(objects, apiVersion) {
      batches.push(objects.length);
      await new Promise((resolve) => setImmediate(resolve));
      return objects.map((object) => {
        const { apiVersion: from, spec, ...rest } = structuredClone(object) as Boat;
        const value = spec.length ?? spec.size;
        const named = value === undefined ? {} : { [apiVersion.endsWith("v2") ? "size" : "length"]: value };
        return { apiVersion, ...rest, spec: from === apiVersion ? spec : named } as Boat;
      });
    },
  };
  const v1 = boat("v1", "length", form);
  const v2 = boat("v2", "size", form);
  return { stored: v1, served: [v1, v2], batches };
}

const path = (version = "v1") => `/apis/${group}/${version}/namespaces/default/boats`;
const newBoat = (name: string, spec: object, version = "v1") => ({
  apiVersion: `${group}/${version}`,
  kind: "Boat",
  metadata: { name },
  spec,
});

describe("a kind that is added to a running server", () => {
  let server: ApiServer;
  let admin: InProcessClient;
  beforeEach(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    const v1 = boat("v1", "length");
    await server.customKinds.serve("boats", { stored: v1, served: [v1] });
  });
  afterEach(() => server.stop());
  const get = <T = Boat>(of: string, headers?: Record<string, string>) =>
    admin.request({ method: "GET", path: of, ...(headers && { headers }) }) as Promise<T>;

  it("is in both forms of discovery, and gone from them when it is removed", async () => {
    const before = server.catalogue.generation;
    expect(await get<object>(`/apis/${group}/v1`)).toMatchObject({
      resources: [{ name: "boats", shortNames: ["bt"] }],
    });
    const aggregated = { accept: "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList" };
    const names = async () =>
      (await get<{ items: { metadata: { name: string } }[] }>("/apis", aggregated)).items.map(
        (each) => each.metadata.name,
      );
    expect(await names()).toContain(group);
    server.customKinds.remove("boats");
    expect(server.catalogue.generation).toBeGreaterThan(before);
    expect(await names()).not.toContain(group);
    await expect(get(`/apis/${group}/v1`)).rejects.toThrow("404 page not found");
    await expect(get(path())).rejects.toThrow("404 page not found");
  });

  it("is in OpenAPI v2 and v3, and other documents keep their hashes", async () => {
    type Index = { paths: Record<string, { serverRelativeURL: string }> };
    const index = async () => (await get<Index>("/openapi/v3")).paths;
    const withIt = await index();
    expect(await get<object>(`/openapi/v3/apis/${group}/v1`)).toHaveProperty("components");
    const v2 = async () => Object.keys((await get<{ definitions: object }>("/openapi/v2")).definitions);
    expect(await v2()).toContain("com.example.boats.v1.Boat");
    server.customKinds.remove("boats");
    const without = await index();
    expect(without).not.toHaveProperty([`apis/${group}/v1`]);
    expect(without["apis/apps/v1"]).toEqual(withIt["apis/apps/v1"]);
    expect(await v2()).not.toContain("com.example.boats.v1.Boat");
  });

  it("changes the hash of its document when its schema changes", async () => {
    type Index = { paths: Record<string, { serverRelativeURL: string }> };
    const url = async () => (await get<Index>("/openapi/v3")).paths[`apis/${group}/v1`]?.serverRelativeURL;
    const before = await url();
    const changed = boat("v1", "width");
    await server.customKinds.serve("boats", { stored: changed, served: [changed] });
    expect(await url()).not.toBe(before);
  });

  it("is created, read, listed, applied, shown as a table and deleted", async () => {
    await admin.request({ method: "POST", path: path(), body: newBoat("a", { length: 3 }) });
    expect(await get(`${path()}/a`)).toMatchObject({ spec: { length: 3 }, metadata: { name: "a" } });
    await admin.request({
      method: "PATCH",
      path: `${path()}/b?fieldManager=me`,
      headers: { "content-type": "application/apply-patch+yaml" },
      body: newBoat("b", { length: 4 }),
    });
    const list = await get<{ items: Boat[]; kind: string }>(path());
    expect([list.kind, ...list.items.map(({ spec }) => spec.length)]).toEqual(["BoatList", 3, 4]);
    await admin.request({ method: "DELETE", path: `${path()}/a` });
    await expect(get(`${path()}/a`)).rejects.toThrow('boats.boats.example.com "a" not found');
  });

  it("ends its watches when it is removed, and what is stored is there again when it comes back", async () => {
    await admin.request({ method: "POST", path: path(), body: newBoat("a", { length: 3 }) });
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { type } of admin.watch({ method: "GET", path: `${path()}?watch=1` })) seen.push(type);
    })();
    await expect.poll(() => seen).toEqual(["ADDED"]);
    server.customKinds.remove("boats");
    await watching;
    const v1 = boat("v1", "length");
    await server.customKinds.serve("boats", { stored: v1, served: [v1] });
    expect(await get(`${path()}/a`)).toMatchObject({ spec: { length: 3 } });
  });

  describe("with a second version that takes time to convert", () => {
    let both: ReturnType<typeof twoVersions>;
    beforeEach(async () => {
      both = twoVersions();
      await server.customKinds.serve("boats", both);
    });

    it("serves one stored object in both", async () => {
      await admin.request({ method: "POST", path: path("v2"), body: newBoat("a", { size: 7 }, "v2") });
      expect(await get(`${path("v1")}/a`)).toMatchObject({ apiVersion: `${group}/v1`, spec: { length: 7 } });
      expect(await get(`${path("v2")}/a`)).toMatchObject({ apiVersion: `${group}/v2`, spec: { size: 7 } });
    });

    it("converts a list in one batch", async () => {
      for (const name of ["a", "b", "c"])
        await admin.request({ method: "POST", path: path(), body: newBoat(name, { length: 1 }) });
      both.batches.length = 0;
      const list = await get<{ items: Boat[] }>(path("v2"));
      expect(list.items.map(({ spec }) => spec.size)).toEqual([1, 1, 1]);
      expect(both.batches).toEqual([3]);
    });

    it("watches, patches and applies in the version asked for, and owners of both versions are kept", async () => {
      const events: (readonly [string, number | undefined])[] = [];
      const stop = new AbortController();
      const watching = (async () => {
        for await (const { type, object } of admin.watch({
          method: "GET",
          path: `${path("v2")}?watch=1`,
          signal: stop.signal,
        }))
          events.push([type, (object as Boat).spec.size]);
      })();
      const apply = (version: string, manager: string, spec: object) =>
        admin.request({
          method: "PATCH",
          path: `${path(version)}/a?fieldManager=${manager}&force=true`,
          headers: { "content-type": "application/apply-patch+yaml" },
          body: newBoat("a", spec, version),
        }) as Promise<Boat>;
      await apply("v1", "one", { length: 1 });
      await admin.request({
        method: "PATCH",
        path: `${path("v2")}/a`,
        headers: { "content-type": "application/merge-patch+json" },
        body: { spec: { size: 2 } },
      });
      const last = await apply("v2", "two", { size: 3 });
      expect(last.spec).toEqual({ size: 3 });
      expect(last.metadata.managedFields?.map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([
        ["two", `${group}/v2`],
      ]);
      await expect
        .poll(() => events)
        .toEqual([
          ["ADDED", 1],
          ["MODIFIED", 2],
          ["MODIFIED", 3],
        ]);
      stop.abort();
      await watching;
    });
  });
});
