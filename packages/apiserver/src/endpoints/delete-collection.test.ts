import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore, type MemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../server/compose/api-server.js";
import { createInProcessClient, type InProcessClient } from "../server/in-process/in-process-client.js";

const configMaps = "/api/v1/namespaces/default/configmaps";
const selected = `${configMaps}?labelSelector=test`;
const names = Array.from({ length: 50 }, (_, index) => `object-${String(index).padStart(2, "0")}`);

describe("the deletion of a collection", () => {
  let store: MemoryStore;
  let server: ApiServer;
  let admin: InProcessClient;
  let uids: string[];
  let before: number;
  beforeEach(async () => {
    await server?.stop();
    store = createMemoryStore({ runtime: systemRuntime() });
    server = await startApiServer({ runtime: systemRuntime(), store });
    admin = createInProcessClient(server, { user: { name: "admin", groups: ["system:masters"] } });
    uids = [];
    for (const name of names.toReversed()) {
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, labels: { test: "" } } };
      const made = await admin.request({ method: "POST", path: configMaps, body });
      uids.unshift((made as { metadata: { uid: string } }).metadata.uid);
    }
    before = store.revision;
  });
  afterAll(() => server.stop());

  const deleted = (): string[] =>
    store
      .log(before)
      .flatMap(({ type, key }) =>
        type === "delete" && key.includes("/configmaps/") ? [key.split("/").at(-1) ?? ""] : [],
      );
  const left = async (): Promise<number> =>
    ((await admin.request({ method: "GET", path: selected })) as { items: unknown[] }).items.length;

  it("goes through the objects in their order", async () => {
    await admin.request({ method: "DELETE", path: selected });
    expect(deleted()).toEqual(names);
    expect(await left()).toBe(0);
  });

  it("answers the first error, and leaves what was not begun", async () => {
    const body = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: uids[0] } };
    await expect(admin.request({ method: "DELETE", path: selected, body })).rejects.toThrow(
      /^Operation cannot be fulfilled on ConfigMap "object-01"/,
    );
    expect(deleted()).toEqual([names[0]]);
    expect(await left()).toBe(names.length - 1);
  });

  it("does not mind that another client deletes them, too", async () => {
    await Promise.all([
      admin.request({ method: "DELETE", path: selected }),
      admin.request({ method: "DELETE", path: selected }),
    ]);
    expect(await left()).toBe(0);
  });
});
