import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInProcessTransport, startApiServer } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type CsiNode, createCsiNode } from "./csi-host.js";
import { planNodePatch } from "./csi-node.js";
import { FakeCsi, type FakeCsiOptions } from "./fake-csi.test.support.js";
import { checkPlugin } from "./register-plugins.js";

let directory: string;
let client: Client;
let csi: CsiNode;
const undo: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "csi-"));
  undo.push(() => rm(directory, { recursive: true, force: true }));
  const runtime = systemRuntime();
  const store = createMemoryStore({ runtime });
  const server = await startApiServer({ runtime, store, admission: { enabled: ["NodeRestriction"] } });
  undo.push(async () => (await server.stop(), store.close()));
  const as = (name: string, group: string): Client =>
    createClient({
      transport: createInProcessTransport(server, { user: { name, groups: [group, "system:authenticated"] } }),
      runtime,
    });
  client = as("admin", "system:masters");
  await client.core.v1.nodes().create({ metadata: { name: "node-1" } });
  csi = await createCsiNode({
    rootDir: directory,
    nodeName: "node-1",
    client: as("system:node:node-1", "system:nodes"),
    runtime,
    node: () => undefined,
    wake: () => {},
    reportNode: () => {},
  });
  undo.push(() => csi.stop());
});
afterEach(async () => {
  while (undo.length > 0) await undo.pop()?.();
});

async function startDriver(options: Partial<FakeCsiOptions> = {}): Promise<FakeCsi> {
  const driver = new FakeCsi({ directory, registry: join(directory, "plugins_registry"), ...options });
  await driver.start();
  undo.push(() => driver.stop());
  return driver;
}
const driversOf = async () => (await client.storage.v1.csinodes().get("node-1")).spec.drivers;

describe("storage drivers on a node", () => {
  it("a node has a CSINode before it has drivers, owned by the Node", async () => {
    await csi.start();
    const object = await client.storage.v1.csinodes().get("node-1");
    const node = await client.core.v1.nodes().get("node-1");
    // As Go writes an empty list that is not there.
    expect(object.spec.drivers ?? []).toEqual([]);
    expect(object.metadata?.ownerReferences?.[0]?.uid).toBe(node.metadata?.uid);
    expect(object.metadata?.annotations?.["storage.alpha.kubernetes.io/migrated-plugins"]).toContain(
      "kubernetes.io/aws-ebs",
    );
  });

  it("a driver is registered, and its limits and topology are known; when its socket goes, it is not any more", async () => {
    await csi.start();
    const driver = await startDriver({ maxVolumes: 7, topology: { "example.com/zone": "a" } });
    await vi.waitFor(() => expect(driver.registrations).toEqual(["registered"]), { timeout: 20_000 });
    expect(await driversOf()).toEqual([
      { name: driver.name, nodeID: "node-id", topologyKeys: ["example.com/zone"], allocatable: { count: 7 } },
    ]);
    const { metadata } = await client.core.v1.nodes().get("node-1");
    expect(metadata?.annotations?.["csi.volume.kubernetes.io/nodeid"]).toBe(`{"${driver.name}":"node-id"}`);
    expect(metadata?.labels?.["example.com/zone"]).toBe("a");
    expect(csi.drivers.get(driver.name).name).toBe(driver.name);
    await driver.stop();
    await vi.waitFor(async () => expect((await driversOf()) ?? []).toEqual([]), { timeout: 20_000 });
    expect(() => csi.drivers.get(driver.name)).toThrow("not found in the list of registered CSI drivers");
    const after = await client.core.v1.nodes().get("node-1");
    expect(after.metadata?.annotations?.["csi.volume.kubernetes.io/nodeid"]).toBeUndefined();
  });

  it("a driver that was there before the kubelet is found, and one that starts again registers again", async () => {
    await csi.start();
    const driver = await startDriver();
    await vi.waitFor(() => expect(driver.registrations).toHaveLength(1), { timeout: 20_000 });
    await driver.stop();
    await driver.start();
    await vi.waitFor(() => expect(driver.registrations).toHaveLength(2), { timeout: 20_000 });
    expect(await csi.drivers.get(driver.name).capabilities()).toEqual(new Set([1]));
  });

  it("one without a node id is refused, and notified of the reason", async () => {
    await csi.start();
    const driver = await startDriver({ nodeId: "" });
    await vi.waitFor(() => expect(driver.registrations[0]).toContain("driverNodeID must not be empty"), {
      timeout: 20_000,
    });
    expect(csi.drivers.find(driver.name)).toBeUndefined();
  });
});

describe("what a plugin reports about itself", () => {
  const info = (supportedVersions: string[], type = "CSIPlugin") => ({ type, name: "d", supportedVersions });
  it("the newest version counts", () =>
    expect(checkPlugin(info(["1.0.0", "v1.9.0", "0.3.0"]), "/s", undefined)).toEqual([1, 9, 0]));
  for (const [name, given, registered, words] of [
    ["no version", info([]), undefined, "empty list for supported versions"],
    ["only other versions", info(["0.3.0", "2.0.0"]), undefined, "None of the versions specified"],
    ["another type", info(["1.0.0"], "DevicePlugin"), undefined, "no handler registered for plugin type: DevicePlugin"],
    ["the name of a driver as new", info(["1.0.0"]), [1, 0, 0], "already registered with a higher supported version"],
  ] as const)
    it(`${name} is refused`, () => expect(() => checkPlugin({ ...given }, "/s", registered)).toThrow(words));

  it("a topology that contradicts the Node's labels is refused", () =>
    expect(() =>
      planNodePatch({ metadata: { labels: { zone: "b" } } }, "d", {
        nodeId: "n",
        maxVolumes: 0,
        topology: { zone: "a" },
      }),
    ).toThrow("detected topology value collision"));
});
