import type { Transport } from "@coxswain/client/transport";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../compose/api-server.js";
import { createInProcessTransport } from "./in-process.js";
import { createInProcessClient, type InProcessClient } from "./in-process-client.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "1" } });

describe("the in-process transport", () => {
  let server: ApiServer;
  let admin: InProcessClient;
  beforeAll(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
  });
  afterAll(() => server.stop());

  it("the server copies what it is given and hands out private copies", async () => {
    const sent = configMap("copied");
    const made = (await admin.request({ method: "POST", path: configMaps, body: sent })) as typeof sent;
    expect(sent).toEqual(configMap("copied"));
    made.data.a = "changed by the caller";
    expect(await admin.request({ method: "GET", path: `${configMaps}/copied` })).toMatchObject({ data: { a: "1" } });
  });

  it("a body that names no kind and no version is of the path's", async () => {
    await admin.request({ method: "POST", path: configMaps, body: { metadata: { name: "nameless" } } });
    expect(await admin.request({ method: "GET", path: `${configMaps}/nameless` })).toMatchObject({
      kind: "ConfigMap",
      apiVersion: "v1",
    });
  });

  it("goes through authorization with the user it was made for", async () => {
    const stranger = createInProcessClient(server, { user: { name: "jane", groups: [] } });
    await expect(stranger.request({ method: "GET", path: configMaps })).rejects.toThrow(
      'configmaps is forbidden: User "jane" cannot list resource "configmaps" in API group "" in the namespace "default"',
    );
  });

  it("a watch ends when it is aborted", async () => {
    await admin.request({ method: "POST", path: configMaps, body: configMap("watched") });
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const event of admin.watch({
      method: "GET",
      path: `${configMaps}?watch=1&fieldSelector=metadata.name%3Dwatched`,
      signal: stop.signal,
    })) {
      seen.push(event.type);
      if (event.type === "ADDED") await admin.request({ method: "DELETE", path: `${configMaps}/watched` });
      else stop.abort();
    }
    expect(seen).toEqual(["ADDED", "DELETED"]);
  });
});

describe("the transport for a client library", () => {
  let server: ApiServer;
  let transport: Transport;
  beforeAll(async () => {
    server = await startApiServer({ runtime: systemRuntime(), store: createMemoryStore({ runtime: systemRuntime() }) });
    transport = createInProcessTransport(server, { user: { name: "admin", groups: ["system:masters"] } });
    for (const name of ["a", "b"])
      await transport.send({ method: "POST", path: configMaps, body: { as: "value", value: configMap(name) } });
  });
  afterAll(() => server.stop());

  it("requests that are sent at once wait for their user's turn, each of them", async () => {
    const waits: (() => void)[] = [];
    const flows = new Set<string | undefined>();
    let asked = 0;
    const shared = createInProcessTransport(server, {
      user: { name: "controller", groups: ["system:masters"] },
      scheduler: {
        yield(_cost, flow) {
          flows.add(flow);
          if (waits.length < 3) return new Promise((resolve) => waits.push(resolve));
          asked += 1;
          return undefined;
        },
      },
    });
    const sent = ["a", "b", "none"].map((name) => shared.send({ method: "GET", path: `${configMaps}/${name}` }));
    expect(waits.length).toBe(3);
    expect([...flows]).toEqual(["in-process controller"]);
    for (const resume of waits) resume();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 404]);
    expect(asked, "each is charged again in the slice where it runs").toBe(3);
  });

  it("a refusal is an answer with its code", async () => {
    const response = await transport.send({ method: "GET", path: `${configMaps}/none` });
    expect(response.status).toBe(404);
    expect(await response.value()).toMatchObject({ kind: "Status", reason: "NotFound" });
  });

  it("an unknown field is a warning, and an error where strictness is asked for", async () => {
    const value = { ...configMap("odd"), colour: "red" };
    const create = (fieldValidation: string) =>
      transport.send({
        method: "POST",
        path: configMaps,
        query: [
          ["fieldValidation", fieldValidation],
          ["dryRun", "All"],
        ],
        body: { as: "value", value },
      });
    expect((await create("Warn")).warnings).toEqual(['unknown field "colour"']);
    expect((await create("Strict")).status).toBe(400);
  });

  it("metadata and tables come in the form asked for", async () => {
    const get = async (accept: string) =>
      (await transport.send({ method: "GET", path: `${configMaps}/a`, headers: { accept } })).value();
    expect(await get("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")).toMatchObject({
      kind: "PartialObjectMetadata",
      metadata: { name: "a" },
    });
    expect(await get("application/json;as=Table;g=meta.k8s.io;v=v1")).toMatchObject({ kind: "Table" });
  });

  it("a watch of Tables has rows, and columns in its first event alone", async () => {
    const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    const query: [string, string][] = [["watch", "true"]];
    const stream = await transport.watch({ method: "GET", path: configMaps, query, headers: { accept } });
    for (const name of ["row-a", "row-b"])
      await transport.send({ method: "POST", path: configMaps, body: { as: "value", value: configMap(name) } });
    const seen: unknown[] = [];
    for await (const batch of stream) {
      for (const event of batch) if (event.type === "ADDED") seen.push(event.object);
      if (seen.some((table) => JSON.stringify(table).includes("row-b"))) stream.stop();
    }
    expect(seen[0]).toMatchObject({
      kind: "Table",
      columnDefinitions: [{ name: "Name" }, { name: "Data" }, { name: "Age" }],
    });
    expect(seen.at(-1)).toMatchObject({
      kind: "Table",
      columnDefinitions: null,
      rows: [{ cells: ["row-b", 1, "0s"] }],
    });
    const refused = transport.watch({ method: "GET", path: "/api/v1/nothings", query, headers: { accept } });
    await expect(refused).rejects.toThrow("could not find the requested resource");
  });

  it("initial events end with a marked bookmark, and all watchers share one frozen object", async () => {
    const open = () =>
      transport.watch({
        method: "GET",
        path: configMaps,
        query: [
          ["watch", "true"],
          ["sendInitialEvents", "true"],
          ["allowWatchBookmarks", "true"],
          ["resourceVersionMatch", "NotOlderThan"],
        ],
      });
    const initial = async (): Promise<unknown[]> => {
      const stream = await open();
      const objects: unknown[] = [];
      for await (const events of stream)
        for (const event of events) {
          if (event.type === "BOOKMARK" && event.initialEventsEnd) return objects;
          if (event.type === "ADDED") objects.push(event.object);
        }
      throw new Error("the watch ended before its initial events did");
    };
    const [one, two] = [await initial(), await initial()];
    expect(one.length).toBeGreaterThanOrEqual(2);
    expect(one[0]).toBe(two[0]);
    expect(Object.isFrozen(one[0])).toBe(true);
  });

  it("a signal that is aborted ends a watch that is still being opened", async () => {
    const stop = new AbortController();
    const opening = transport.watch({
      method: "GET",
      path: configMaps,
      query: [
        ["watch", "true"],
        ["sendInitialEvents", "true"],
        ["resourceVersionMatch", "NotOlderThan"],
        ["resourceVersion", "999999"],
      ],
      signal: stop.signal,
    });
    stop.abort(new Error("no longer wanted"));
    await expect(opening).rejects.toThrow("no longer wanted");
  });
});
