import { afterEach, describe, expect, it } from "vitest";
import { container, startTestNodes, type TestNodes } from "./test-nodes.test.support.js";

let cluster: TestNodes | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

const resources = (cpu: string) => ({ requests: { cpu }, limits: { cpu } });
const resize = (test: TestNodes, cpu: string): Promise<unknown> =>
  test.client.core.v1
    .pods("default")
    .subresource("resize")
    .patch("web", { strategic: { spec: { containers: [{ name: "main", resources: resources(cpu) }] } } });

async function seen(
  test: TestNodes,
): Promise<{ actual: unknown; allocated: unknown; restarts: unknown; conditions: string[] }> {
  const { status } = await test.pod("web");
  const [main] = status?.containerStatuses ?? [];
  return {
    actual: main?.resources,
    allocated: main?.allocatedResources,
    restarts: main?.restartCount,
    conditions: (status?.conditions ?? [])
      .filter(({ type }) => type.startsWith("PodResize"))
      .map(({ type, reason, message }) => `${type} ${reason}: ${message}`),
  };
}

describe("resizing a pod in place", () => {
  it("gives a running container more", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web", { containers: [container({ resources: resources("1") })] });
    await cluster.settle();
    await resize(cluster, "2");
    await cluster.settle();
    expect(await seen(cluster)).toEqual({
      actual: resources("2"),
      allocated: { cpu: "2" },
      restarts: 0,
      conditions: [],
    });
    const { status, metadata } = await cluster.pod("web");
    expect(status?.observedGeneration).toBe(metadata?.generation);
    expect(await cluster.events("web")).toEqual([
      "Pulling",
      "Pulled",
      "Created",
      "Started",
      "ResizeStarted",
      "ResizeCompleted",
    ]);
  });

  it("restarts a container whose resize policy asks for it", async () => {
    cluster = await startTestNodes();
    const resizePolicy = [{ resourceName: "cpu", restartPolicy: "RestartContainer" as const }];
    await cluster.createPod("web", { containers: [container({ resources: resources("1"), resizePolicy })] });
    await cluster.settle();
    await resize(cluster, "2");
    await cluster.settle();
    expect(await seen(cluster)).toEqual({
      actual: resources("2"),
      allocated: { cpu: "2" },
      restarts: 1,
      conditions: [],
    });
  });

  it("waits until the node has room", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web", { containers: [container({ resources: resources("1") })] });
    await cluster.createPod("other", { containers: [container({ resources: resources("20") })] });
    await cluster.settle();
    await resize(cluster, "16");
    await cluster.settle();
    expect(await seen(cluster)).toEqual({
      actual: resources("1"),
      allocated: { cpu: "1" },
      restarts: 0,
      conditions: [
        "PodResizePending Deferred: Node didn't have enough resource: cpu, requested: 16000, used: 20000, capacity: 32000",
      ],
    });
    await cluster.client.core.v1.pods("default").delete("other");
    await cluster.settle();
    expect(await seen(cluster)).toMatchObject({ actual: resources("16"), conditions: [] });
  });
});
