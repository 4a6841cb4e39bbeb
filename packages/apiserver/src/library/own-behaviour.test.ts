import { Readable } from "node:stream";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Transport, TransportRequest } from "@coxswain/client/transport";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInProcessTransport } from "../server/in-process/in-process.js";
import { createApiServer, type OwnApiServer } from "./create-api-server.js";
import type { ServedKind } from "./own-kind-parts.js";

interface Room extends KubernetesObject {
  spec: { beds: number };
  status?: { beds: number; guests: string };
}

const checkIns: string[] = [];
const rooms: ServedKind<Room> = {
  kind: "Room",
  scope: "Namespaced",
  status: true,
  scale: { specReplicasPath: ".spec.beds", statusReplicasPath: ".status.beds", labelSelectorPath: ".status.guests" },
  versions: [
    {
      name: "v1",
      schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { beds: { type: "integer", default: 1 } } },
          status: { type: "object", properties: { beds: { type: "integer" }, guests: { type: "string" } } },
        },
      },
    },
  ],
  subresources: {
    price: {
      kind: { group: "hotel.example.com", version: "v1", kind: "Price" },
      get: async ({ object }) => ({ euros: (await object()).spec.beds * 40 }),
    },
    checkin: {
      async create({ object, name, user, warn }, { guest }) {
        await object();
        checkIns.push(`${String(guest)} into ${name} by ${user.name}`);
        warn("breakfast is until ten");
        return { checkedIn: guest };
      },
    },
    bell: {
      async connect({ object, method, query, openBody }) {
        const { metadata } = await object();
        const sent =
          method === "POST" ? Readable.from(openBody()) : Readable.from([`ring ${metadata?.name} ${query("times")}`]);
        return { as: "stream", code: 202, headers: { "content-type": "text/plain" }, body: sent };
      },
    },
    proxy: {
      methods: ["GET", "PUT"],
      connect: async ({ path }) => ({ as: "stream", body: Readable.from([`at ${path}`]) }),
    },
  },
};

describe("subresources of one's own", () => {
  let server: OwnApiServer;
  let transport: Transport;
  const path = "/apis/hotel.example.com/v1/namespaces/default/rooms";
  beforeAll(async () => {
    const store = createMemoryStore({ runtime: systemRuntime() });
    server = await createApiServer({ groups: [{ name: "hotel.example.com", kinds: [rooms] }], store });
    transport = createInProcessTransport(server, { user: { name: "me", groups: ["system:masters"] } });
    await ask("POST", path, { metadata: { name: "a" }, spec: { beds: 2 } });
  });
  afterAll(() => server.stop());

  const ask = async (method: TransportRequest["method"], at: string, body?: object) => {
    const answer = await transport.send({
      method,
      path: at,
      ...(body && { body: { as: "value" as const, value: body } }),
    });
    return { code: answer.status, body: await answer.value() };
  };

  it("discovery lists them with their verbs", async () => {
    const { body } = await ask("GET", "/apis/hotel.example.com/v1");
    const { resources } = body as { resources: { name: string; kind: string; verbs: string[] }[] };
    expect(resources.map(({ name, kind, verbs }) => `${name} ${kind} ${verbs.join()}`)).toEqual([
      "rooms Room create,delete,deletecollection,get,list,patch,update,watch",
      "rooms/bell Room create,get",
      "rooms/checkin Room create",
      "rooms/price Price get",
      "rooms/proxy Room get,update",
      "rooms/scale Scale get,patch,update",
      "rooms/status Room get,patch,update",
    ]);
  });
  it("a plain one answers a document about its object", async () =>
    expect(await ask("GET", `${path}/a/price`)).toEqual({
      code: 200,
      body: { kind: "Price", apiVersion: "hotel.example.com/v1", euros: 80 },
    }));
  it("without the object it is not found", async () =>
    expect(await ask("GET", `${path}/nobody/price`)).toMatchObject({ code: 404, body: { reason: "NotFound" } }));
  it("one that is created takes a body", async () => {
    expect(await ask("POST", `${path}/a/checkin`, { guest: "ann" })).toMatchObject({
      code: 201,
      body: { checkedIn: "ann" },
    });
    expect(checkIns).toEqual(["ann into a by me"]);
  });
  it("another verb is refused", async () => expect(await ask("GET", `${path}/a/checkin`)).toMatchObject({ code: 405 }));
  it("the scale reads and writes the replicas", async () => {
    expect(await ask("GET", `${path}/a/scale`)).toMatchObject({
      body: { kind: "Scale", apiVersion: "autoscaling/v1", spec: { replicas: 2 } },
    });
    await ask("PUT", `${path}/a/scale`, { metadata: { name: "a", namespace: "default" }, spec: { replicas: 3 } });
    expect(await ask("GET", `${path}/a`)).toMatchObject({ body: { spec: { beds: 3 } } });
    expect(
      await ask("PUT", `${path}/a/scale`, { metadata: { name: "a", namespace: "default" }, spec: { replicas: -1 } }),
    ).toMatchObject({ code: 422 });
  });
  it("a connecting one hands on what comes", async () => {
    const text = async (method: TransportRequest["method"], at: string, body?: string) => {
      const query = method === "GET" ? ([["times", "3"]] as const) : [];
      const bytes = body === undefined ? undefined : new TextEncoder().encode(body);
      const answer = await transport.send({
        method,
        path: at,
        query,
        ...(bytes && { body: { as: "bytes", bytes, contentType: "text/plain" } }),
      });
      return `${answer.status} ${new TextDecoder().decode(await answer.bytes())}`;
    };
    expect(await text("GET", `${path}/a/bell`)).toBe("202 ring a 3");
    expect(await text("POST", `${path}/a/bell`, "louder")).toBe("202 louder");
    expect(await text("GET", `${path}/a/proxy/menu/today`)).toBe("200 at /menu/today");
    expect(await text("POST", `${path}/a/proxy`)).toMatch(/^405 /);
    expect(await text("GET", `${path}/nobody/bell`)).toMatch(/^404 /);
    expect(await text("GET", `${path}/a/bell/louder`)).toMatch(/^404 /);
  });
});
