import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "@coxswain/apimachinery/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { type ApiServer, startApiServer } from "./api-server.js";
import { createInProcessTransport, type InProcessTransport } from "./in-process.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const configMap = (name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "1" } });

describe("the in-process transport", () => {
  let server: ApiServer;
  let admin: InProcessTransport;
  beforeAll(async () => {
    server = await startApiServer({ store: createMemoryStore({ clock: systemClock }) });
    admin = createInProcessTransport(server, { user: { name: "admin", groups: ["system:masters"] } });
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
    const stranger = createInProcessTransport(server, { user: { name: "jane", groups: [] } });
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
