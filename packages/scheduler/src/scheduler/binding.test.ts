import assert from "node:assert/strict";
import type { ResourceClaim } from "@coxswain/api/resource/v1";
import { afterEach, describe, it } from "vitest";
import { defaultSchedulerConfig } from "../config/default-config.js";
import type { Plugin } from "../framework/plugin.js";
import type { StartSchedulerOptions } from "./start-scheduler.js";
import { node, pod, startTestCluster, type TestCluster } from "./test-cluster.test.support.js";

describe("the binding cycle", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  const start = async (options: Partial<StartSchedulerOptions> = {}): Promise<void> => {
    cluster = await startTestCluster(options);
    await cluster.addNode(node("a"));
  };
  const core = () => cluster.client.core.v1;
  const pods = () => core().pods("default");
  const settle = () => cluster.clock.settle();

  it("binds volumes of a claim that waited for its pod, and waits for the controller before it binds the pod", async () => {
    await start();
    await cluster.client.storage.v1.storageclasses().create({
      metadata: { name: "local" },
      provisioner: "kubernetes.io/no-provisioner",
      volumeBindingMode: "WaitForFirstConsumer",
    });
    const volume = await core()
      .persistentvolumes()
      .create({
        metadata: { name: "disk" },
        spec: {
          capacity: { storage: "10Gi" },
          accessModes: ["ReadWriteOnce"],
          storageClassName: "local",
          hostPath: { path: "/disk" },
        },
      });
    await core()
      .persistentvolumes()
      .updateStatus({ ...volume, status: { phase: "Available" } });
    await core()
      .persistentvolumeclaims("default")
      .create({
        metadata: { name: "data" },
        spec: {
          accessModes: ["ReadWriteOnce"],
          storageClassName: "local",
          resources: { requests: { storage: "5Gi" } },
        },
      });
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    await pods().create(pod("db", "1", { spec: { volumes } }));
    await settle();
    const bound = await core().persistentvolumes().get("disk");
    assert.equal(bound.spec?.claimRef?.name, "data");
    const waiting = await pods().get("db");
    assert.equal(waiting.spec?.nodeName, undefined);
    assert.equal(waiting.status?.nominatedNodeName, "a");
    const claim = await core().persistentvolumeclaims("default").get("data");
    await core()
      .persistentvolumeclaims("default")
      .update({
        ...claim,
        metadata: { ...claim.metadata, annotations: { "pv.kubernetes.io/bind-completed": "yes" } },
        spec: { ...claim.spec, volumeName: "disk" },
      });
    await settle();
    assert.equal((await pods().get("db")).spec?.nodeName, "a");
  });

  it("tries a pod again whose volumes were not bound in time", async () => {
    await start();
    await cluster.client.storage.v1.storageclasses().create({
      metadata: { name: "slow" },
      provisioner: "csi.example.com",
      volumeBindingMode: "WaitForFirstConsumer",
    });
    await core()
      .persistentvolumeclaims("default")
      .create({
        metadata: { name: "data" },
        spec: { accessModes: ["ReadWriteOnce"], storageClassName: "slow", resources: { requests: { storage: "5Gi" } } },
      });
    await pods().create(
      pod("db", "1", { spec: { volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data" } }] } }),
    );
    await settle();
    const claim = await core().persistentvolumeclaims("default").get("data");
    assert.equal(claim.metadata?.annotations?.["volume.kubernetes.io/selected-node"], "a");
    await cluster.clock.advance(601_000);
    const condition = (await pods().get("db")).status?.conditions?.find(({ type }) => type === "PodScheduled");
    assert.equal(condition?.reason, "SchedulerError");
    assert.equal(
      condition?.message,
      'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded',
    );
  });

  it("allocates devices, reserves the claim and binds", async () => {
    await start();
    const { resource } = cluster.client;
    await resource.v1.deviceclasses().create({
      metadata: { name: "gpu" },
      spec: { selectors: [{ cel: { expression: 'device.attributes["gpu.example.com"].model == "large"' } }] },
    });
    await resource.v1.resourceslices().create({
      metadata: { name: "slice" },
      spec: {
        driver: "gpu.example.com",
        nodeName: "a",
        pool: { name: "a", generation: 1, resourceSliceCount: 1 },
        devices: [
          { name: "gpu-0", attributes: { model: { string: "small" } } },
          { name: "gpu-1", attributes: { model: { string: "large" } } },
        ],
      },
    });
    const claim: ResourceClaim = {
      metadata: { name: "claim" },
      spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu" } }] } },
    };
    await resource.v1.resourceclaims("default").create(claim);
    const resourceClaims = [{ name: "gpu", resourceClaimName: "claim" }];
    await pods().create(pod("train", "1", { spec: { resourceClaims } }));
    await settle();
    assert.equal((await pods().get("train")).spec?.nodeName, "a");
    const { status, metadata } = await resource.v1.resourceclaims("default").get("claim");
    assert.deepEqual(
      status?.allocation?.devices?.results?.map(({ device }) => device),
      ["gpu-1"],
    );
    assert.deepEqual(
      status?.reservedFor?.map(({ name }) => name),
      ["train"],
    );
    assert.ok(metadata?.finalizers?.includes("resource.kubernetes.io/delete-protection"));
    await resource.v1.resourceclaims("default").create({ ...claim, metadata: { name: "second" } });
    await pods().create(pod("late", "1", { spec: { resourceClaims: [{ name: "gpu", resourceClaimName: "second" }] } }));
    await settle();
    const condition = (await pods().get("late")).status?.conditions?.find(({ type }) => type === "PodScheduled");
    assert.equal(
      condition?.message,
      "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
    );
  });

  it("makes a pod wait for a Permit plugin, and refuses it when the time is up", async () => {
    const permit: Plugin = { name: "Slow", permit: () => ({ code: "Wait", timeoutMs: 30_000 }) };
    const gates = { enabled: () => true };
    const config = defaultSchedulerConfig(gates);
    const [profile] = config.profiles;
    assert.ok(profile);
    await start({
      plugins: () => new Map([["Slow", () => permit]]),
      config: {
        ...config,
        profiles: [
          {
            ...profile,
            plugins: { ...profile.plugins, permit: { enabled: [{ name: "Slow", weight: 0 }], disabled: [] } },
          },
        ],
      },
    });
    await pods().create(pod("slow", "1"));
    await settle();
    assert.equal((await pods().get("slow")).spec?.nodeName, undefined);
    await cluster.clock.advance(30_000);
    const condition = (await pods().get("slow")).status?.conditions?.find(({ type }) => type === "PodScheduled");
    assert.equal(
      condition?.message,
      "0/1 nodes are available: 1 rejected due to timeout after waiting 30s at plugin Slow.",
    );
  });

  it("goes on with other pods when a plugin throws, and tries that pod again", async () => {
    let broken = true;
    const plugin: Plugin = {
      name: "Broken",
      preFilter({ pod: { pod: one } }) {
        if (broken && one.metadata?.name === "unlucky") throw new Error("a plugin that throws");
        return { kind: "skip" };
      },
    };
    const config = defaultSchedulerConfig({ enabled: () => true });
    const [profile] = config.profiles;
    assert.ok(profile);
    const { multiPoint } = profile.plugins;
    const enabled = [...multiPoint.enabled, { name: "Broken", weight: 0 }];
    await start({
      plugins: () => new Map([["Broken", () => plugin]]),
      config: {
        ...config,
        profiles: [{ ...profile, plugins: { ...profile.plugins, multiPoint: { ...multiPoint, enabled } } }],
      },
    });
    await pods().create(pod("unlucky", "1"));
    await pods().create(pod("lucky", "1"));
    await settle();
    assert.equal((await pods().get("lucky")).spec?.nodeName, "a");
    const condition = (await pods().get("unlucky")).status?.conditions?.find(({ type }) => type === "PodScheduled");
    assert.deepEqual([condition?.reason, condition?.message], ["SchedulerError", "a plugin that throws"]);
    broken = false;
    await cluster.clock.advance(3000);
    assert.equal((await pods().get("unlucky")).spec?.nodeName, "a");
  });

  it("asks an extender, which strikes nodes and binds itself", async () => {
    const calls: string[] = [];
    const gates = { enabled: () => true };
    const config = defaultSchedulerConfig(gates);
    await start({
      config: {
        ...config,
        extenders: [
          {
            urlPrefix: "http://extender",
            filterVerb: "filter",
            bindVerb: "bind",
            nodeCacheCapable: true,
            httpTimeoutMs: 5000,
          },
        ],
      },
      async post(url, body) {
        calls.push(url);
        if (url.endsWith("/filter")) {
          const names = (body as { NodeNames: string[] }).NodeNames.filter((name) => name === "b");
          return { code: 200, body: { NodeNames: names, FailedNodes: { a: "the extender does not like it" } } };
        }
        const { PodName, Node } = body as { PodName: string; Node: string };
        await pods()
          .subresource<object>("binding")
          .create(PodName, { metadata: { name: PodName }, target: { kind: "Node", name: Node } });
        return { code: 200, body: {} };
      },
    });
    await pods().create(pod("web", "1"));
    await settle();
    const condition = (await pods().get("web")).status?.conditions?.find(({ type }) => type === "PodScheduled");
    assert.match(condition?.message ?? "", /^0\/1 nodes are available: 1 the extender does not like it\./);
    await cluster.addNode(node("b"));
    await cluster.clock.advance(2000);
    assert.equal((await pods().get("web")).spec?.nodeName, "b");
    assert.ok(calls.includes("http://extender/bind"));
  });
});
