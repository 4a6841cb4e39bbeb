import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { type Client, createClient } from "@coxswain/client";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApiServer } from "../index.js";
import { createInProcessTransport } from "../server/in-process/in-process.js";
import { createApiServer } from "./create-api-server.js";
import { namespaceLifecycle } from "./namespace-lifecycle.js";

const admin = { user: { name: "admin", groups: ["system:masters"] } };
interface Booking extends KubernetesObject {
  guest?: string;
}
const bookings = { group: "hotel.example.com", version: "v1", resource: "bookings", namespaced: true };
const kind = {
  kind: "Booking",
  scope: "Namespaced" as const,
  versions: [{ name: "v1", schema: { type: "object", properties: { guest: { type: "string" } } } }],
};

describe("namespaces of the cluster that a server of one's own stands behind", () => {
  let cluster: Client;
  let own: Client;
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const runtime = systemRuntime();
    const front = await startApiServer({ runtime, store: createMemoryStore({ runtime }) });
    cluster = createClient({ transport: createInProcessTransport(front, admin), runtime });
    const server = await createApiServer({
      groups: [{ name: "hotel.example.com", kinds: [kind] }],
      store: createMemoryStore({ runtime }),
      admission: [namespaceLifecycle(cluster, runtime)],
    });
    own = createClient({ transport: createInProcessTransport(server, admin), runtime });
    stops.push(
      () => server.stop(),
      () => front.stop(),
    );
  });
  afterAll(async () => {
    for (const stop of stops) await stop();
  });
  const create = (namespace: string, name: string) =>
    own
      .dynamic(bookings, namespace)
      .create({ metadata: { name } })
      .then(
        () => "created",
        (error: Error) => error.message,
      );

  it("an object is made in one that is there, also in one that has just been made", async () => {
    expect(await create("default", "a")).toBe("created");
    await cluster.core.v1.namespaces().create({ metadata: { name: "new" } });
    expect(await create("new", "a")).toBe("created");
  });
  it("none in one that is not there", async () =>
    expect(await create("nowhere", "a")).toBe('namespaces "nowhere" not found'));
  it("none in one that ends, while what is there can be changed and deleted", async () => {
    await cluster.core.v1.namespaces().create({ metadata: { name: "ending" } });
    expect(await create("ending", "a")).toBe("created");
    await cluster.core.v1.namespaces().delete("ending");
    await expect
      .poll(() => create("ending", "b"))
      .toBe(
        'bookings.hotel.example.com "b" is forbidden: unable to create new content in namespace ending because it is being terminated',
      );
    await own.dynamic<Booking>(bookings, "ending").patch("a", { merge: { guest: "ann" } });
    await own.dynamic(bookings, "ending").delete("a");
  });
});
