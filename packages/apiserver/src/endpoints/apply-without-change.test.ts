import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createByteRequester } from "../server/in-process/byte-requester.js";

const group = "harbour.example.com";
const boats = (version: string): string => `/apis/${group}/${version}/boats`;

const schema = (spec: object): object => ({
  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: spec } } },
});
const crew = { type: "integer" };

/** Defaults of a version are set when an object is written in it, and are not seen when one is read that was stored in another. */
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `boats.${group}` },
  spec: {
    group,
    scope: "Cluster",
    names: { plural: "boats", singular: "boat", kind: "Boat", listKind: "BoatList" },
    versions: [
      { name: "v1", served: true, storage: true, schema: schema({ crew }) },
      { name: "v2", served: true, storage: false, schema: schema({ crew, mast: { type: "string", default: "wood" } }) },
    ],
  },
};

describe("apply of what an object has already, in a version with defaults of its own", () => {
  let server: ApiServer;
  const send = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const request = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
    const type = method === "PATCH" ? "application/apply-patch+yaml" : "application/json";
    const answer = await request({
      method,
      path,
      headers: { "content-type": type },
      body: new TextEncoder().encode(JSON.stringify(body) ?? ""),
      signal: new AbortController().signal,
    });
    let text = "";
    for await (const chunk of answer.body) text += new TextDecoder().decode(chunk);
    return JSON.parse(text) as Record<string, unknown>;
  };
  beforeAll(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    const served = async (): Promise<boolean> =>
      JSON.stringify(await send("GET", boats("v2")).catch(() => "")).includes("BoatList");
    while (!(await served())) await new Promise((resolve) => setImmediate(resolve));
  });
  afterAll(() => server.stop());

  it("neither sets the defaults nor raises the generation", async () => {
    const boat = (version: string, spec: object) => ({
      apiVersion: `${group}/${version}`,
      kind: "Boat",
      metadata: { name: "anna" },
      spec,
    });
    const apply = (manager: string, spec: object): Promise<Record<string, unknown>> =>
      send("PATCH", `${boats("v2")}/anna?fieldManager=${manager}`, boat("v2", spec));
    await send("POST", boats("v1"), boat("v1", { crew: 2 }));
    expect(await apply("bert", { crew: 2 })).toMatchObject({ metadata: { generation: 1 }, spec: { crew: 2 } });
    expect(await apply("cleo", { crew: 2 })).not.toHaveProperty("spec.mast");
    const changed = await send("PATCH", `${boats("v2")}/anna?fieldManager=bert&force=true`, boat("v2", { crew: 3 }));
    expect(changed).toMatchObject({ metadata: { generation: 2 }, spec: { crew: 3 } });
  });
});
