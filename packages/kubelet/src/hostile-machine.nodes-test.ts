import { execFileSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { NodeCondition } from "@coxswain/api/core/v1";
import { startTestMachine } from "@coxswain/tools/nodes";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RealTestNode, startRealTestNode } from "./real-node.test.support.js";

// A kubelet whose machine fails it: no runtime, no disk.

const rootDir = "/var/lib/kubelet-small";
let node: RealTestNode;

beforeAll(async () => {
  await startTestMachine(); // first: it mounts over /var/lib
  await mkdir(rootDir, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", rootDir]);
  node = await startRealTestNode({
    name: "failing",
    rootDir,
    config: { evictionHard: { "nodefs.available": "4Mi" }, evictionPressureTransitionPeriod: "1s" },
  });
});
afterAll(() => node?.stop());

const condition = async (type: string): Promise<NodeCondition | undefined> =>
  (await node.client.core.v1.nodes().get("failing")).status?.conditions?.find((each) => each.type === type);
const phaseOf = async (name: string): Promise<string | undefined> => (await node.pod(name)).status?.phase;
const firstContainer = async (name: string): Promise<string | undefined> =>
  (await node.pod(name)).status?.containerStatuses?.[0]?.containerID;

it("without a runtime the node is not ready in upstream's words, what runs goes on, and new pods wait for it", async () => {
  await node.run("lives", "exec sleep 1000");
  await node.until("it runs", async () => (await phaseOf("lives")) === "Running");
  const before = await firstContainer("lives");
  await node.machine.containerd.kill();
  await node.until("the node is not ready", async () => (await condition("Ready"))?.status === "False");
  expect(await condition("Ready")).toMatchObject({
    reason: "KubeletNotReady",
    message: "container runtime is down",
  });
  await node.run("waits", "exit 0");
  await node.machine.containerd.start();
  await node.until("the node is ready", async () => (await condition("Ready"))?.status === "True");
  await node.until("what waited has run", async () => (await phaseOf("waits")) === "Succeeded");
  expect(await firstContainer("lives")).toBe(before);
  expect((await node.pod("lives")).status?.containerStatuses?.[0]?.restartCount).toBe(0);
});

it("without disk the node reports it, evicts, refuses pods, and takes them again when there is some", async () => {
  await node.client.core.v1.configmaps("default").create({ metadata: { name: "text" }, data: { key: "value" } });
  await writeFile(join(rootDir, "full"), Buffer.alloc(20 * 1024 ** 2)).catch(() => {}); // as much as there is room for
  const files = { volumes: [{ name: "text", configMap: { name: "text" } }] };
  await node.run("unlucky", "exit 0", files);
  await node.until("there is pressure", async () => (await condition("DiskPressure"))?.status === "True");
  expect(await condition("DiskPressure")).toMatchObject({
    reason: "KubeletHasDiskPressure",
    message: "kubelet has disk pressure",
  });
  await node.until("a pod is evicted", async () => (await phaseOf("lives")) === "Failed");
  const { reason, message } = (await node.pod("lives")).status ?? {};
  expect([reason, message]).toEqual([
    "Evicted",
    expect.stringMatching(/^The node was low on resource: ephemeral-storage\. Threshold quantity: 4Mi, available: /),
  ]);
  await node.run("late", "exit 0");
  await node.until("it is refused", async () => (await phaseOf("late")) === "Failed");
  expect((await node.pod("late")).status).toMatchObject({
    reason: "Evicted",
    message: "Pod was rejected: The node had condition: [DiskPressure]. ",
  });
  await rm(join(rootDir, "full"));
  await node.until("the pressure is over", async () => (await condition("DiskPressure"))?.status === "False");
  await node.run("again", "exit 0", files);
  await node.until("pods run again", async () => (await phaseOf("again")) === "Succeeded");
});
