import type { PodStatus } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it, vi } from "vitest";
import { planStatusPatch } from "./pod/status-patch.js";
import { container, startTestNodes, type TestNodes } from "./test-nodes.test.support.js";

let cluster: TestNodes | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

const conditionsOf = ({ conditions = [] }: PodStatus = {}): string[] =>
  conditions.map(({ type, status, reason }) => `${type}=${status}${reason ? ` ${reason}` : ""}`).sort();

describe("a pod on a simulated node", () => {
  it("runs and is ready at once, and is written once", async () => {
    cluster = await startTestNodes();
    const created = await cluster.createPod("web");
    await cluster.settle();
    const { status, metadata } = await cluster.pod("web");
    expect(status?.phase).toBe("Running");
    expect(status?.podIP).toBe("10.244.0.2");
    expect(status?.hostIP).toBe("172.18.0.2");
    expect(status?.qosClass).toBe("BestEffort");
    expect(conditionsOf(status)).toEqual([
      "ContainersReady=True",
      "Initialized=True",
      "PodReadyToStartContainers=True",
      "PodScheduled=True",
      "Ready=True",
    ]);
    expect(status?.containerStatuses).toMatchObject([
      {
        name: "main",
        ready: true,
        started: true,
        restartCount: 0,
        state: { running: { startedAt: "2026-01-01T00:00:00Z" } },
      },
    ]);
    expect(Number(metadata?.resourceVersion)).toBeGreaterThan(Number(created.metadata?.resourceVersion));
    expect(metadata?.managedFields?.map(({ manager }) => manager)).toHaveLength(2);
    expect(await cluster.events("web")).toEqual(["Pulling", "Pulled", "Created", "Started"]);
    const worker = [...(cluster.nodes.agent("node-0")?.workers.values() ?? [])][0];
    expect(planStatusPatch(status ?? {}, worker?.wanted() ?? {})).toBeUndefined();
    const version = metadata?.resourceVersion;
    await cluster.advance(60_000);
    expect((await cluster.pod("web")).metadata?.resourceVersion).toBe(version);
  });

  it("leaves its place on the node to another one as soon as it is deleted by force, before it has ended", async () => {
    cluster = await startTestNodes({ nodes: [{ name: "node-0", capacity: { pods: "1" } }] });
    const ports = [{ containerPort: 80, hostPort: 80 }];
    const stubborn = { lifecycle: { preStop: { sleep: { seconds: 30 } } }, ports };
    await cluster.createPod("first", { containers: [container(stubborn)] });
    await cluster.settle();
    await cluster.client.core.v1.pods("default").delete("first", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect(cluster.nodes.agent("node-0")?.workers.size).toBe(1);
    await cluster.createPod("second", { containers: [container({ ports })] });
    await cluster.settle();
    expect((await cluster.pod("second")).status).toMatchObject({ phase: "Running" });
  });

  it("ends when it is deleted, and is gone", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web");
    await cluster.settle();
    await cluster.client.core.v1.pods("default").delete("web");
    await cluster.settle();
    await expect(cluster.pod("web")).rejects.toThrow("not found");
    expect(await cluster.events("web")).toContain("Killing");
  });

  it("is ended although the runtime was gone when it was deleted", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web");
    await cluster.settle();
    const { containers } = cluster.nodes.agent("node-0")?.context ?? expect.fail("there is no node");
    const stop = vi.spyOn(containers, "stopContainer").mockRejectedValue(new Error("the connection was lost"));
    await cluster.client.core.v1.pods("default").delete("web");
    await cluster.settle();
    expect((await cluster.pod("web")).status?.phase).toBe("Running");
    stop.mockRestore();
    await cluster.advance(60_000);
    await expect(cluster.pod("web")).rejects.toThrow("not found");
  });

  it("a container that ignores the stop signal is killed when its grace is over", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("stubborn", {}, { annotations: { "simulation.coxswain.dev/stop-delay": "never" } });
    await cluster.settle();
    await cluster.client.core.v1.pods("default").delete("stubborn");
    await cluster.advance(29_000);
    expect((await cluster.pod("stubborn")).status?.phase).toBe("Running");
    await cluster.advance(1_000);
    await expect(cluster.pod("stubborn")).rejects.toThrow("not found");
  });

  it("succeeds when its containers have exited with zero", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("task", { restartPolicy: "Never", containers: [container({ command: ["sleep", "5"] })] });
    await cluster.settle();
    expect((await cluster.pod("task")).status?.phase).toBe("Running");
    await cluster.advance(5_000);
    const { status } = await cluster.pod("task");
    expect(status?.phase).toBe("Succeeded");
    expect(conditionsOf(status)).toEqual([
      "ContainersReady=False PodCompleted",
      "Initialized=True PodCompleted",
      "PodReadyToStartContainers=False",
      "PodScheduled=True",
      "Ready=False PodCompleted",
    ]);
    expect(status?.containerStatuses?.[0]?.state?.terminated).toMatchObject({
      exitCode: 0,
      reason: "Completed",
      startedAt: "2026-01-01T00:00:00Z",
      finishedAt: "2026-01-01T00:00:05Z",
    });
  });

  it("restarts with longer and longer waits", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("crashing", { containers: [container({ command: ["false"] })] });
    await cluster.settle();
    const seen: [number, number | undefined, string | undefined][] = [];
    for (const seconds of [1, 9, 20, 40, 80]) {
      await cluster.advance(seconds * 1000);
      const [main] = (await cluster.pod("crashing")).status?.containerStatuses ?? [];
      seen.push([seconds, main?.restartCount, main?.state?.waiting?.reason]);
    }
    expect(seen).toEqual([
      [1, 1, "CrashLoopBackOff"],
      [9, 2, "CrashLoopBackOff"],
      [20, 3, "CrashLoopBackOff"],
      [40, 4, "CrashLoopBackOff"],
      [80, 5, "CrashLoopBackOff"],
    ]);
  });
});
