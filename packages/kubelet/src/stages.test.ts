import type { Node } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import type { StageObject, StageSpec } from "./stages/stage-object.js";
import { startTestNodes, type TestNodes } from "./test-nodes.test.support.js";

let cluster: TestNodes | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

const stage = (name: string, spec: StageSpec, kind = "Pod"): StageObject => ({
  apiVersion: "kwok.x-k8s.io/v1alpha1",
  kind: "Stage",
  metadata: { name },
  spec: { resourceRef: { apiGroup: "v1", kind }, selector: {}, ...spec },
});
const selector = (...rows: [key: string, operator: string, ...values: string[]][]): StageSpec => ({
  selector: { matchExpressions: rows.map(([key, operator, ...values]) => ({ key, operator, values })) },
});

const alive = [".metadata.deletionTimestamp", "DoesNotExist"] as [string, string];
const ready = stage("pod-ready", {
  ...selector(alive, [".status.phase", "In", "Pending"]),
  delay: { durationMilliseconds: 5000 },
  next: {
    event: { type: "Normal", reason: "Played", message: "by a Stage" },
    statusTemplate: `
      {{ $now := Now }}
      conditions:
      - { type: Ready, status: "True", lastTransitionTime: {{ $now | Quote }} }
      containerStatuses:
      {{ range .spec.containers }}
      - { name: {{ .name }}, image: {{ .image }}, imageID: "", ready: true, restartCount: 0, state: { running: { startedAt: {{ $now | Quote }} } } }
      {{ end }}
      podIP: {{ PodIPWith .spec.nodeName false .metadata.uid .metadata.name .metadata.namespace }}
      hostIP: {{ NodeIPWith .spec.nodeName }}
      phase: Running`,
  },
});
const remove = stage("pod-delete", {
  ...selector([".metadata.deletionTimestamp", "Exists"]),
  next: { delete: true },
});
const crash = stage("crash", {
  selector: {
    matchLabels: { crash: "true" },
    matchExpressions: [{ key: ".status.phase", operator: "In", values: ["Running"] }],
  },
  delay: { durationMilliseconds: 2000 },
  next: { statusTemplate: "phase: Failed\nreason: Crashed" },
});

const definition = (served: boolean): object => ({
  metadata: { name: "stages.kwok.x-k8s.io" },
  spec: {
    group: "kwok.x-k8s.io",
    scope: "Cluster",
    names: { plural: "stages", singular: "stage", kind: "Stage", listKind: "StageList" },
    versions: [
      {
        name: "v1alpha1",
        served,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});

const phaseOf = async (name: string): Promise<string | undefined> => (await cluster?.pod(name))?.status?.phase;

describe("Stages that use more than they may", () => {
  const hostile: { name: string; spec: StageSpec }[] = [
    {
      name: "by a jq filter whose values double",
      spec: selector([Array.from({ length: 22 }, () => "(.,.)").join(" | "), "Exists"]),
    },
    {
      name: "by ranges in ranges of a template",
      spec: {
        ...selector(alive, [".status.phase", "In", "Pending"]),
        weight: 1000,
        next: { statusTemplate: "{{ range 1000000 }}{{ range 1000000 }}{{ end }}{{ end }}" },
      },
    },
  ];
  for (const { name, spec } of hostile)
    it(`are not played, ${name}, and others are`, async () => {
      cluster = await startTestNodes({ settings: { stages: [stage("hostile", spec), ready, remove] } });
      await cluster.createPod("web");
      await cluster.advance(6000);
      expect(await phaseOf("web")).toBe("Running");
    });
});

describe("pods that Stages drive", () => {
  it("have the statuses and events of the Stages that select them, after their delays", async () => {
    cluster = await startTestNodes({ settings: { stages: [ready, remove] } });
    await cluster.createPod("web");
    await cluster.advance(4000);
    expect(await phaseOf("web")).toBe("Pending");
    await cluster.advance(2000);
    const { status } = await cluster.pod("web");
    expect(status).toMatchObject({ phase: "Running", hostIP: "172.18.0.2", podIP: "10.244.0.2" });
    expect(status?.containerStatuses).toMatchObject([{ name: "main", image: "app:1", ready: true }]);
    expect(await cluster.events("web")).toEqual(["Played"]);
  });

  it("go as soon as a Stage deletes them, and their addresses are used again", async () => {
    cluster = await startTestNodes({
      settings: { stages: [ready, remove] },
      nodes: [{ name: "node-0", podCIDR: "10.0.0.0/30" }],
    });
    await cluster.createPod("first");
    await cluster.advance(6000);
    await cluster.client.core.v1.pods("default").delete("first");
    await cluster.settle();
    await expect(cluster.pod("first")).rejects.toThrow("not found");
    await cluster.createPod("second");
    await cluster.advance(6000);
    expect((await cluster.pod("second")).status?.podIP).toBe("10.0.0.2");
  });

  it("stay while no Stage deletes them", async () => {
    cluster = await startTestNodes({ settings: { stages: [ready] } });
    await cluster.createPod("web");
    await cluster.advance(6000);
    await cluster.client.core.v1.pods("default").delete("web");
    await cluster.advance(120_000);
    expect((await cluster.pod("web")).metadata?.deletionTimestamp).toBeDefined();
  });

  it("are left alone while their node is cut off", async () => {
    cluster = await startTestNodes({ settings: { stages: [ready] } });
    await cluster.createPod("web");
    cluster.nodes.partition("node-0");
    await cluster.advance(20_000);
    expect(await phaseOf("web")).toBe("Pending");
    await cluster.nodes.recover("node-0");
    await cluster.advance(6000);
    expect(await phaseOf("web")).toBe("Running");
  });
});

describe("pods that the kubelet runs", () => {
  it("are run by it where no Stage selects them", async () => {
    cluster = await startTestNodes({ settings: { stages: [crash] } });
    await cluster.createPod("web");
    await cluster.advance(10_000);
    expect((await cluster.pod("web")).status).toMatchObject({ phase: "Running", podIP: "10.244.0.2" });
    expect(await cluster.events("web")).toContain("Started");
  });

  it("are taken over by a Stage that writes their status, and deleted by the kubelet where no Stage does", async () => {
    cluster = await startTestNodes({ settings: { stages: [crash] } });
    await cluster.createPod("web", {}, { labels: { crash: "true" } });
    await cluster.advance(1000);
    expect(await phaseOf("web")).toBe("Running");
    await cluster.advance(60_000);
    expect((await cluster.pod("web")).status).toMatchObject({ phase: "Failed", reason: "Crashed" });
    await cluster.client.core.v1.pods("default").delete("web");
    await cluster.advance(1000);
    await expect(cluster.pod("web")).rejects.toThrow("not found");
  });

  it("keep running where a Stage changes only their metadata", async () => {
    const label = stage("label", {
      ...selector([".status.phase", "In", "Running"], [".metadata.annotations.seen", "DoesNotExist"]),
      steps: [
        { patch: { root: "metadata", template: "annotations: { seen: {{ .status.podIP | Quote }} }" } },
        { finalizers: { add: [{ value: "example.com/held" }] } },
      ],
    });
    cluster = await startTestNodes({ settings: { stages: [label] } });
    await cluster.createPod("web");
    await cluster.advance(1000);
    const { metadata, status } = await cluster.pod("web");
    expect(metadata).toMatchObject({ annotations: { seen: status?.podIP }, finalizers: ["example.com/held"] });
    expect(status?.containerStatuses).toMatchObject([
      { ready: true, containerID: expect.stringContaining("simulated://") },
    ]);
  });
});

describe("Stages of the cluster", () => {
  const stages = (): ReturnType<TestNodes["client"]["dynamic"]> =>
    (cluster as TestNodes).client.dynamic({ group: "kwok.x-k8s.io", version: "v1alpha1", resource: "stages" });

  it("are played from their creation to their deletion, those with faults left out", async () => {
    cluster = await startTestNodes();
    await cluster.client.apiextensions.v1.customresourcedefinitions().create(definition(true) as never);
    await cluster.advance(2000);
    await stages().create(stage("broken", { next: { statusTemplate: "{{ env }}" } }) as never);
    await stages().create(ready as never);
    await cluster.advance(1000);
    await cluster.createPod("staged");
    await cluster.advance(6000);
    expect(await cluster.events("staged")).toEqual(["Played"]);
    await stages().delete("pod-ready");
    await cluster.advance(1000);
    await cluster.createPod("plain");
    await cluster.advance(6000);
    expect(await cluster.events("plain")).toContain("Started");
  });
});

describe("nodes that Stages drive", () => {
  const condition = (status: string) =>
    `conditions: [{ type: Ready, status: "${status}", reason: Staged, lastHeartbeatTime: {{ Now | Quote }} }]`;
  const readyStatus = '.status.conditions.[] | select(.type == "Ready") | .status';
  const initialize = stage(
    "node-initialize",
    {
      ...selector([readyStatus, "NotIn", "True"], [".metadata.labels.broken", "DoesNotExist"]),
      next: {
        statusTemplate: `${condition("True")}\nphase: Running\nnodeInfo: { kernelVersion: {{ .status.nodeInfo.kernelVersion }} }`,
      },
    },
    "Node",
  );
  const breakIt = stage(
    "node-break",
    {
      ...selector([readyStatus, "In", "True"], [".metadata.labels.broken", "Exists"]),
      next: { statusTemplate: condition("False") },
    },
    "Node",
  );
  const readyOf = (node: Node): string | undefined => {
    const found = node.status?.conditions?.find(({ type }) => type === "Ready");
    return found && `${found.status} ${found.reason}`;
  };

  it("become ready, fail and recover by their Stages, and go on renewing their leases", async () => {
    cluster = await startTestNodes({ settings: { stages: [initialize, breakIt] } });
    const nodes = cluster.client.core.v1.nodes();
    await cluster.advance(1000);
    const node = await nodes.get("node-0");
    expect(node.status).toMatchObject({
      phase: "Running",
      capacity: { cpu: "32" },
      nodeInfo: { kernelVersion: "6.1.0-simulated" },
    });
    expect(readyOf(node)).toBe("True Staged");
    await nodes.patch("node-0", { merge: { metadata: { labels: { broken: "true" } } } });
    await cluster.advance(600_000);
    expect(readyOf(await nodes.get("node-0"))).toBe("False Staged");
    const lease = await cluster.client.coordination.v1.leases("kube-node-lease").get("node-0");
    expect(cluster.clock.now() - Date.parse(String(lease.spec?.renewTime))).toBeLessThanOrEqual(10_000);
    await nodes.patch("node-0", { json: [{ op: "remove", path: "/metadata/labels/broken" }] });
    await cluster.advance(1000);
    expect(readyOf(await nodes.get("node-0"))).toBe("True Staged");
  });
});
