import type { ContainerStatus } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startNodes } from "./start-nodes.js";
import { container, startTestNodes, type TestNodes } from "./test-nodes.test.support.js";

let cluster: TestNodes | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

const stateOf = ({ name, state = {}, ready, restartCount }: ContainerStatus): string => {
  const what = state.running
    ? "running"
    : state.terminated
      ? `exited ${state.terminated.exitCode}`
      : (state.waiting?.reason ?? "waiting");
  return `${name} ${what}${ready ? " ready" : ""}${restartCount > 0 ? ` x${restartCount}` : ""}`;
};
const statesOf = async (name: string): Promise<string[]> => {
  const { status } = (await cluster?.pod(name)) ?? {};
  return [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ].map(stateOf);
};

describe("containers of a simulated pod", () => {
  it("init containers run one after the other, sidecars beside them", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web", {
      initContainers: [
        container({ name: "first", command: ["sleep", "2"] }),
        container({ name: "side", restartPolicy: "Always" }),
        container({ name: "second", command: ["sleep", "2"] }),
      ],
    });
    await cluster.settle();
    expect(await statesOf("web")).toEqual([
      "first running",
      "side PodInitializing",
      "second PodInitializing",
      "main PodInitializing",
    ]);
    await cluster.advance(2000);
    expect(await statesOf("web")).toEqual([
      "first exited 0 ready",
      "side running ready",
      "second running",
      "main PodInitializing",
    ]);
    expect((await cluster.pod("web")).status?.phase).toBe("Pending");
    await cluster.advance(2000);
    expect(await statesOf("web")).toEqual([
      "first exited 0 ready",
      "side running ready",
      "second exited 0 ready",
      "main running ready",
    ]);
    expect((await cluster.pod("web")).status?.phase).toBe("Running");
  });

  it("a sidecar ends when the others have", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("task", {
      restartPolicy: "Never",
      initContainers: [container({ name: "side", restartPolicy: "Always" })],
      containers: [container({ command: ["sleep", "3"] })],
    });
    await cluster.advance(3000);
    expect((await cluster.pod("task")).status?.phase).toBe("Succeeded");
    expect(await statesOf("task")).toEqual(["side exited 143", "main exited 0"]);
  });

  it("a rule makes all containers of a pod start over", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web", {
      restartPolicy: "Never",
      initContainers: [container({ name: "setup", command: ["true"] })],
      containers: [
        container({
          command: ["sh", "-c", "sleep 5; exit 42"],
          restartPolicy: "Never",
          restartPolicyRules: [{ action: "RestartAllContainers", exitCodes: { operator: "In", values: [42] } }],
        }),
        container({ name: "other" }),
      ],
    });
    await cluster.settle();
    const condition = async () =>
      (await cluster?.pod("web"))?.status?.conditions?.find(({ type }) => type === "AllContainersRestarting");
    expect(await statesOf("web")).toEqual(["setup exited 0 ready", "main running ready", "other running ready"]);
    expect((await condition())?.status).toBe("False");
    await cluster.advance(5000);
    expect(await statesOf("web")).toEqual([
      "setup exited 0 ready x1",
      "main running ready x1",
      "other running ready x1",
    ]);
    const { status } = await cluster.pod("web");
    expect(status?.phase).toBe("Running");
    expect(status?.containerStatuses?.map(({ lastState }) => lastState?.terminated?.reason)).toEqual([
      "RestartingAllContainers",
      "RestartingAllContainers",
    ]);
    expect((await condition())?.status).toBe("False");
    expect((await cluster.client.core.v1.nodes().get("node-0")).status?.declaredFeatures).toContain(
      "RestartAllContainersOnContainerExits",
    );
  });

  it("an image that cannot be pulled is tried again and again", async () => {
    cluster = await startTestNodes();
    await cluster.createPod(
      "web",
      {},
      {
        annotations: {
          "simulation.coxswain.dev/fail": "pull",
          "simulation.coxswain.dev/fail-message": "no such image",
        },
      },
    );
    await cluster.settle();
    expect(await statesOf("web")).toEqual(["main ErrImagePull"]);
    await cluster.advance(6000);
    expect(await statesOf("web")).toEqual(["main ImagePullBackOff"]);
    const { status } = await cluster.pod("web");
    expect(status?.containerStatuses?.[0]?.state?.waiting?.message).toBe(
      'Back-off pulling image "app:1": ErrImagePull: no such image',
    );
    expect(await cluster.events("web")).toEqual(["Pulling", "Failed", "Failed", "BackOff", "Failed"]);
  });

  it("readiness and liveness are probed", async () => {
    cluster = await startTestNodes();
    const httpGet = { path: "/healthz", port: 80 };
    await cluster.createPod(
      "web",
      {
        containers: [
          container({
            readinessProbe: { httpGet, periodSeconds: 1 },
            livenessProbe: { httpGet, periodSeconds: 10, failureThreshold: 2, initialDelaySeconds: 5 },
          }),
        ],
      },
      {
        annotations: { "simulation.coxswain.dev/ready-after": "3s", "simulation.coxswain.dev/unhealthy-after": "30s" },
      },
    );
    await cluster.advance(2000);
    expect(await statesOf("web")).toEqual(["main running"]);
    await cluster.advance(2000);
    expect(await statesOf("web")).toEqual(["main running ready"]);
    await cluster.advance(45_000);
    expect((await statesOf("web"))[0]).toContain("x1");
    const events = await cluster.events("web");
    expect(events).toContain("Killing");
    expect(events.some((event) => event.startsWith("Unhealthy"))).toBe(true);
  });

  it("a command can be the probe", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web", {
      containers: [
        container({
          command: ["/bin/sh", "-c", "sleep 5; echo ok > /tmp/health; sleep 10; rm /tmp/health; sleep 600"],
          readinessProbe: { exec: { command: ["cat", "/tmp/health"] }, periodSeconds: 1, failureThreshold: 1 },
        }),
      ],
    });
    const seen: string[][] = [];
    for (const ms of [4000, 3000, 10_000]) {
      await cluster.advance(ms);
      seen.push(await statesOf("web"));
    }
    expect(seen).toEqual([["main running"], ["main running ready"], ["main running"]]);
  });

  it("a container that has ended is not probed", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("once", {
      restartPolicy: "Never",
      containers: [
        container({
          command: ["/bin/sh", "-c", "echo ok > /tmp/health; sleep 5"],
          readinessProbe: { exec: { command: ["cat", "/tmp/health"] }, periodSeconds: 1 },
        }),
        container({ name: "other" }),
      ],
    });
    await cluster.advance(20_000);
    expect(await statesOf("once")).toEqual(["main exited 0", "other running ready"]);
    expect((await cluster.events("once")).filter((event) => event.startsWith("Unhealthy"))).toEqual([]);
  });

  it("a pod that the node does not take has failed", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("big", { containers: [container({ resources: { requests: { cpu: "100" } } })] });
    await cluster.settle();
    expect((await cluster.pod("big")).status).toMatchObject({
      phase: "Failed",
      reason: "OutOfcpu",
      message: "Pod was rejected: Node didn't have enough resource: cpu, requested: 100000, used: 0, capacity: 32000",
    });
    expect(await cluster.events("big")).toEqual(["OutOfcpu"]);
  });

  it("a pod past its deadline fails", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("slow", { activeDeadlineSeconds: 5 });
    await cluster.advance(5000);
    expect((await cluster.pod("slow")).status).toMatchObject({
      phase: "Failed",
      reason: "DeadlineExceeded",
      message: "Pod was active on the node longer than the specified deadline",
    });
  });

  it("a pod that its node evicts fails, and its status names the kubelet", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("greedy", {}, { annotations: { "simulation.coxswain.dev/memory": "1Gi" } });
    await cluster.createPod("modest");
    await cluster.settle();
    expect(await cluster.nodes.evictFirst("node-0")).toBe("default/greedy");
    await cluster.settle();
    const { status } = await cluster.pod("greedy");
    expect(status).toMatchObject({ phase: "Failed", reason: "Evicted" });
    expect(status?.conditions?.find(({ type }) => type === "DisruptionTarget")).toMatchObject({
      status: "True",
      reason: "TerminationByKubelet",
    });
    expect((await cluster.pod("modest")).status?.phase).toBe("Running");
  });

  it("a pre-stop hook takes its time out of the grace period", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web", { containers: [container({ lifecycle: { preStop: { sleep: { seconds: 5 } } } })] });
    await cluster.settle();
    await cluster.client.core.v1.pods("default").delete("web");
    await cluster.advance(4000);
    expect((await cluster.pod("web")).metadata?.deletionTimestamp).toBeDefined();
    await cluster.advance(1000);
    await expect(cluster.pod("web")).rejects.toThrow("not found");
  });

  it("an ephemeral container joins a running pod", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("web");
    await cluster.settle();
    const pods = cluster.client.core.v1.pods("default");
    await pods.subresource("ephemeralcontainers").patch("web", {
      strategic: { spec: { ephemeralContainers: [{ name: "debug", image: "busybox", command: ["sleep", "2"] }] } },
    });
    await cluster.settle();
    expect(await statesOf("web")).toEqual(["main running ready", "debug running"]);
    await cluster.advance(2000);
    expect(await statesOf("web")).toEqual(["main running ready", "debug exited 0"]);
  });

  it("a new process goes on where the old one was", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("task", {
      restartPolicy: "Never",
      containers: [container({ command: ["sh", "-c", "sleep 10; exit 3"] })],
    });
    await cluster.advance(4000);
    const { containerStatuses: before } = (await cluster.pod("task")).status ?? {};
    await cluster.nodes.stop();
    const { client, runtime } = cluster;
    const again = startNodes({ client, nodes: 1, runtime });
    await again.ready;
    await cluster.advance(5000);
    expect((await cluster.pod("task")).status?.containerStatuses).toEqual(before);
    await cluster.advance(1000);
    expect(await statesOf("task")).toEqual(["main exited 3"]);
    await again.stop();
  });

  it("a new process keeps the results of probes, and runs them again", async () => {
    cluster = await startTestNodes();
    const probe = { httpGet: { port: 80 }, periodSeconds: 1 };
    const main = container({ startupProbe: probe, livenessProbe: probe, readinessProbe: probe });
    const annotations = { "simulation.coxswain.dev/unhealthy-after": "60s" };
    await cluster.createPod("web", { containers: [main] }, { annotations });
    await cluster.advance(10_000);
    expect(await statesOf("web")).toEqual(["main running ready"]);
    const before = await cluster.pod("web");
    const events = await cluster.events("web");
    await cluster.nodes.stop();
    const { client, runtime } = cluster;
    const again = startNodes({ client, nodes: 1, runtime });
    await again.ready;
    await cluster.advance(10_000);
    expect(await cluster.pod("web")).toEqual(before);
    expect(await cluster.events("web")).toEqual(events);
    await cluster.advance(60_000);
    expect(await statesOf("web")).toEqual(["main running ready x1"]);
    await again.stop();
  });
});
