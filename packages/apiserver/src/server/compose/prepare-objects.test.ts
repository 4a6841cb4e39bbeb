import { createClient } from "@coxswain/client";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import type { PreparedObjects } from "../../registry/own-writes/prepared-objects.js";
import { createInProcessTransport } from "../in-process/in-process.js";
import { type ApiServer, startApiServer } from "./api-server.js";
import type { ApiServerOptions } from "./api-server-options.js";
import { prepareObjects, prepareWith } from "./prepare-objects.js";

const uid = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** All that a server has in its store after its start at this time. */
async function made(
  now: number,
  options: Pick<ApiServerOptions, "preparedObjects" | "api">,
): Promise<{ key: string; text: string }[]> {
  const store = createMemoryStore({ runtime: systemRuntime() });
  const server = await startApiServer({
    runtime: systemRuntime({ clock: { ...systemClock, now: () => now }, random: systemRandom }),
    store,
    ...options,
  });
  const { records } = await store.range({ prefix: "/registry/" });
  await server.stop();
  return records.map(({ key, value }) => ({ key, text: new TextDecoder().decode(value) }));
}

describe("prepared objects", () => {
  const now = Date.UTC(2026, 1, 3, 4, 5, 6);

  it("are what a server would have made, byte by byte, with uids of their own", async () => {
    const prepared = await prepareObjects();
    const [withThem, without] = [
      await made(now, { preparedObjects: () => Promise.resolve(prepared) }),
      await made(now, {}),
    ];
    const anonymous = (records: { key: string; text: string }[]) =>
      records.map(({ key, text }) => `${key} ${text.replace(uid, "uid")}`);
    expect(anonymous(withThem)).toEqual(anonymous(without));
    const uids = withThem.flatMap(({ text }) => text.match(uid) ?? []);
    expect(new Set(uids).size).toBe(uids.length);
    expect(uids.length).toBeGreaterThan(150);
    expect(Object.keys(prepared).length).toBeGreaterThan(withThem.length - 10);
  });

  it("are not asked for where gates were set, on which they may depend, nor when nothing is missing", async () => {
    let asked = 0;
    const preparedObjects = (): Promise<PreparedObjects> => {
      asked++;
      return Promise.resolve({});
    };
    await made(now, { preparedObjects, api: { featureGates: new Map([["ClusterTrustBundle", "true"]]) } });
    expect(asked).toBe(0);
    const store = createMemoryStore({ runtime: systemRuntime() });
    for (let start = 0; start < 2; start++)
      await (await startApiServer({ runtime: systemRuntime(), store, preparedObjects })).stop();
    expect(asked).toBe(1);
  });

  it("for an empty store are written at its first start, and not again once they were deleted", async () => {
    const name = "first";
    const configMapsOf = (server: ApiServer) =>
      createClient({
        transport: createInProcessTransport(server, { user: { name: "admin", groups: ["system:masters"] } }),
        runtime: systemRuntime(),
      }).core.v1.configmaps("default");
    const prepared = await prepareWith(
      async (server) => void (await configMapsOf(server).create({ metadata: { name }, data: { a: "b" } })),
      (key) => key.endsWith(`/${name}`),
    );
    const store = createMemoryStore({ runtime: systemRuntime() });
    const firstObjects = (): Promise<PreparedObjects> => Promise.resolve(prepared);
    const first = await startApiServer({ runtime: systemRuntime(), store, firstObjects });
    const { metadata, data } = await configMapsOf(first).get(name);
    expect([data, Date.parse(String(metadata?.creationTimestamp)) > 0]).toEqual([{ a: "b" }, true]);
    await configMapsOf(first).delete(name);
    await first.stop();
    const second = await startApiServer({ runtime: systemRuntime(), store, firstObjects });
    await expect(configMapsOf(second).get(name)).rejects.toThrow("not found");
    await second.stop();
  });
});
