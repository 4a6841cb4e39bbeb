import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { podLogLines } from "@coxswain/client/pods";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startNodes } from "./start-nodes.js";
import { startTestNodes, type TestNodes } from "./test-nodes.test.support.js";

let cluster: TestNodes;
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "manifests-"))));
afterEach(async () => {
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

const manifest = (image: string, more = ""): string =>
  `{ apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: main, image: "${image}" ${more} }] } }`;
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
const start = async (nodes = 1): Promise<void> => {
  cluster = await startTestNodes({ nodes, settings: { kubelet: { staticPodPath: folder } } });
  await cluster.advance(1000);
};
/** Longer than manifests may be unread. */
const laterMs = 21_000;
const imageOf = async (name: string): Promise<string | undefined> =>
  (await cluster.pod(name)).status?.containerStatuses?.[0]?.image;

describe("static pods", () => {
  it("run on every node, with mirrors that show their statuses", async () => {
    write("web.yaml", manifest("app:1"));
    await start(2);
    for (const node of ["node-0", "node-1"]) {
      const { metadata, spec, status } = await cluster.pod(`web-${node}`);
      expect(metadata?.annotations).toMatchObject({ "kubernetes.io/config.source": "file" });
      expect(metadata?.annotations?.["kubernetes.io/config.mirror"]).toBe(
        metadata?.annotations?.["kubernetes.io/config.hash"],
      );
      expect(metadata?.ownerReferences).toMatchObject([{ kind: "Node", name: node, controller: true }]);
      expect(spec?.nodeName).toBe(node);
      expect(status).toMatchObject({
        phase: "Running",
        podIP: expect.stringContaining("10.244."),
        containerStatuses: [{ ready: true }],
      });
    }
  });

  it("cannot be deleted while their manifests are there: the mirror comes again, and nothing is restarted", async () => {
    write("web.yaml", manifest("app:1"));
    await start();
    const before = await cluster.pod("web-node-0");
    await cluster.client.core.v1.pods("default").delete("web-node-0");
    await cluster.advance(2000);
    const after = await cluster.pod("web-node-0");
    expect(after.metadata?.uid).not.toBe(before.metadata?.uid);
    expect(after.metadata?.deletionTimestamp).toBeUndefined();
    expect(after.status?.containerStatuses).toEqual(before.status?.containerStatuses);
  });

  it("follow their manifests: a change is another pod, and without one they end", async () => {
    write("web.yaml", manifest("app:1"));
    await start();
    const before = await cluster.pod("web-node-0");
    write("web.yaml", manifest("app:2"));
    await cluster.advance(laterMs);
    const after = await cluster.pod("web-node-0");
    expect(await imageOf("web-node-0")).toBe("app:2");
    expect(after.metadata?.annotations?.["kubernetes.io/config.hash"]).not.toBe(
      before.metadata?.annotations?.["kubernetes.io/config.hash"],
    );
    rmSync(join(folder, "web.yaml"));
    await cluster.advance(laterMs);
    await expect(cluster.pod("web-node-0")).rejects.toThrow("not found");
    expect(cluster.nodes.agent("node-0")?.workers.size).toBe(0);
  });

  it("have as long to end as their manifests grant", async () => {
    write(
      "web.yaml",
      manifest("app:1").replace(
        "{ name: web }",
        "{ name: web, annotations: { simulation.coxswain.dev/stop-delay: never } }",
      ),
    );
    await start();
    rmSync(join(folder, "web.yaml"));
    await cluster.advance(laterMs + 20_000);
    expect((await cluster.pod("web-node-0")).status?.phase).toBe("Running");
    await cluster.advance(20_000);
    await expect(cluster.pod("web-node-0")).rejects.toThrow("not found");
  });

  it("start again when their node lost power, and are not evicted", async () => {
    write("web.yaml", manifest("app:1"));
    await start();
    expect(await cluster.nodes.evictFirst("node-0")).toBeUndefined();
    await cluster.nodes.kill("node-0");
    await cluster.advance(20_000);
    await cluster.nodes.recover("node-0");
    await cluster.advance(2000);
    expect((await cluster.pod("web-node-0")).status).toMatchObject({
      phase: "Running",
      containerStatuses: [{ ready: true }],
    });
  });

  it("have logs by their mirrors", async () => {
    write("web.yaml", manifest("app:1", ', command: ["sh", "-c", "echo started; sleep 9999"]'));
    await start();
    const lines: string[] = [];
    for await (const line of podLogLines(cluster.client, { namespace: "default", pod: "web-node-0" })) lines.push(line);
    expect(lines).toEqual(["started"]);
  });

  it("go on running when the process starts again", async () => {
    write("web.yaml", manifest("app:1"));
    await start();
    const before = await cluster.pod("web-node-0");
    await cluster.nodes.stop();
    const { client, clock, runtime } = cluster;
    const again = startNodes({ client, nodes: 1, runtime, settings: { kubelet: { staticPodPath: folder } } });
    await again.ready;
    await clock.advance(5000);
    const after = await cluster.pod("web-node-0");
    expect(after.metadata?.uid).toBe(before.metadata?.uid);
    expect(after.status?.containerStatuses).toEqual(before.status?.containerStatuses);
    await again.stop();
  });

  it("mirrors without a manifest go when a node starts", async () => {
    write("web.yaml", manifest("app:1"));
    await start();
    await cluster.nodes.stop();
    const { client, clock, runtime } = cluster;
    const again = startNodes({ client, nodes: 1, runtime });
    await again.ready;
    await clock.advance(5000);
    await expect(cluster.pod("web-node-0")).rejects.toThrow("not found");
    await again.stop();
  });

  it("are given by the API of nodes as well, those that are refused left out", async () => {
    await start();
    cluster.nodes.setStaticPods("node-0", [manifest("app:1"), "kind: Secret"]);
    await cluster.advance(1000);
    expect(await imageOf("web-node-0")).toBe("app:1");
    cluster.nodes.setStaticPods("node-0", []);
    await cluster.advance(1000);
    await expect(cluster.pod("web-node-0")).rejects.toThrow("not found");
  });
});
