import { afterEach, describe, expect, it } from "vitest";
import { container, startTestNodes, type TestNodes } from "./test-nodes.test.support.js";

let cluster: TestNodes | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

const rule = (name: string): string => `simulation.coxswain.dev/${name}`;
const small = { name: "node-0", capacity: { memory: "1Gi", "ephemeral-storage": "1Gi" } };
const conditions = async (): Promise<string[]> =>
  ((await cluster?.client.core.v1.nodes().get("node-0"))?.status?.conditions ?? []).flatMap(
    ({ type, status, reason }) => (status === "True" ? [`${type} ${reason}`] : []),
  );
const nodeUses = (name: string, amount: string | null): Promise<unknown> =>
  (cluster as TestNodes).client.core.v1
    .nodes()
    .patch("node-0", { merge: { metadata: { annotations: { [rule(name)]: amount } } } as never });

describe("memory pressure", () => {
  it("evicts the pod that uses most above its requests, marks the node, refuses pods that request nothing, and passes", async () => {
    cluster = await startTestNodes({ nodes: [small] });
    await cluster.createPod("modest", { containers: [container({ resources: { requests: { memory: "512Mi" } } })] });
    await cluster.createPod("greedy", {}, { annotations: { [rule("memory")]: "1000Mi" } });
    await cluster.advance(11_000);
    const { status } = await cluster.pod("greedy");
    expect(status).toMatchObject({
      phase: "Failed",
      reason: "Evicted",
      message:
        "The node was low on resource: memory. Threshold quantity: 100Mi, available: 24Mi. Container main was using 1000Mi, request is 0, has larger consumption of memory. ",
    });
    expect(status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
      status: "True",
      reason: "TerminationByKubelet",
    });
    expect((await cluster.pod("modest")).status?.phase).toBe("Running");
    expect(await conditions()).toEqual(["MemoryPressure KubeletHasInsufficientMemory", "Ready KubeletReady"]);
    expect(await cluster.events("greedy")).toContain("Evicted");
    expect(await cluster.events("node-0")).toEqual(
      expect.arrayContaining(["EvictionThresholdMet", "NodeHasInsufficientMemory"]),
    );
    await cluster.createPod("late");
    await cluster.settle();
    expect((await cluster.pod("late")).status).toMatchObject({
      phase: "Failed",
      reason: "Evicted",
      message: "Pod was rejected: The node had condition: [MemoryPressure]. ",
    });
    await cluster.advance(310_000);
    expect(await conditions()).toEqual(["Ready KubeletReady"]);
    expect(await cluster.events("node-0")).toContain("NodeHasSufficientMemory x2");
  });

  it("is never caused by usage that only follows from requests", async () => {
    cluster = await startTestNodes({ nodes: [small] });
    await cluster.createPod("full", { containers: [container({ resources: { requests: { memory: "1Gi" } } })] });
    await cluster.advance(30_000);
    expect(await conditions()).toEqual(["Ready KubeletReady"]);
  });

  it("by a soft threshold evicts after its grace period, and grants the pod some time", async () => {
    cluster = await startTestNodes({
      nodes: [small],
      settings: {
        kubelet: {
          evictionHard: {},
          evictionSoft: { "memory.available": "50%" },
          evictionSoftGracePeriod: { "memory.available": "1m" },
          evictionMaxPodGracePeriod: 20,
        },
      },
    });
    await cluster.createPod("web", {}, { annotations: { [rule("stop-delay")]: "never" } });
    await nodeUses("memory", "900Mi");
    await cluster.advance(60_000);
    expect((await cluster.pod("web")).status?.phase).toBe("Running");
    await cluster.advance(25_000);
    expect((await cluster.pod("web")).status?.phase).toBe("Running");
    await cluster.advance(20_000);
    expect((await cluster.pod("web")).status).toMatchObject({ phase: "Failed", reason: "Evicted" });
  });
});

describe("a full disk", () => {
  it("loses unused images before pods are evicted", async () => {
    cluster = await startTestNodes({ nodes: [small] });
    await cluster.createPod("task", {
      restartPolicy: "Never",
      containers: [container({ image: "once:1", command: ["true"] })],
    });
    await cluster.createPod("web", { containers: [container({ image: "web:1" })] });
    // The kubelet looks at its images every five minutes, and removes none that it has known for less than two.
    await cluster.advance(450_000);
    await cluster.client.core.v1.pods("default").delete("task");
    await cluster.settle();
    const images = async (): Promise<string[]> =>
      ((await cluster?.client.core.v1.nodes().get("node-0"))?.status?.images ?? []).flatMap(({ names = [] }) =>
        names.slice(1),
      );
    expect((await images()).toSorted()).toEqual(["once:1", "web:1"]);
    const size = 1024 ** 3;
    // Without the unused image a little more than the threshold of 15 % is free.
    const sizes = (await cluster.client.core.v1.nodes().get("node-0")).status?.images ?? [];
    const kept = sizes.find(({ names = [] }) => names.includes("web:1"))?.sizeBytes ?? 0;
    await nodeUses("ephemeral-storage", String(Math.floor(size * 0.849) - kept));
    await cluster.advance(20_000);
    expect(await images()).toEqual(["web:1"]);
    expect((await cluster.pod("web")).status?.phase).toBe("Running");
  });

  it("evicts where that is not enough, and refuses all pods", async () => {
    cluster = await startTestNodes({ nodes: [small] });
    await cluster.createPod("logs", {}, { annotations: { [rule("ephemeral-storage")]: "1000Mi" } });
    await cluster.advance(11_000);
    expect((await cluster.pod("logs")).status).toMatchObject({ phase: "Failed", reason: "Evicted" });
    expect(await conditions()).toEqual(["DiskPressure KubeletHasDiskPressure", "Ready KubeletReady"]);
    await cluster.createPod("late", { containers: [container({ resources: { requests: { cpu: "1" } } })] });
    await cluster.settle();
    expect((await cluster.pod("late")).status?.message).toBe(
      "Pod was rejected: The node had condition: [DiskPressure]. ",
    );
  });

  it("a pod that writes more into an emptyDir than it may is evicted, without blame for the node", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("writer", {
      volumes: [{ name: "data", emptyDir: { sizeLimit: "10" } }],
      containers: [
        container({
          command: ["sh", "-c", "echo 0123456789012345 > /data/file; sleep 9999"],
          volumeMounts: [{ name: "data", mountPath: "/data" }],
        }),
      ],
    });
    await cluster.advance(11_000);
    const { status } = await cluster.pod("writer");
    expect(status).toMatchObject({
      reason: "Evicted",
      message: 'Usage of EmptyDir volume "data" exceeds the limit "10". ',
    });
    expect(status?.conditions?.map(({ type }) => type)).not.toContain("DisruptionTarget");
  });
});

describe("too many processes", () => {
  it("evict the pod of the lowest priority", async () => {
    cluster = await startTestNodes({ settings: { kubelet: { evictionHard: { "pid.available": "10%" } } } });
    await cluster.createPod("fork", {}, { annotations: { [rule("processes")]: "4000000" } });
    await cluster.advance(11_000);
    expect((await cluster.pod("fork")).status).toMatchObject({
      reason: "Evicted",
      message: "The node was low on resource: pids. Threshold quantity: 419430, available: 194304. ",
    });
    expect(await conditions()).toEqual(["PIDPressure KubeletHasInsufficientPID", "Ready KubeletReady"]);
  });
});
