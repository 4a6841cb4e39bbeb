import { isConflict, isInternalError, isResourceExpired, isTooManyRequests } from "@coxswain/apimachinery/status";
import { TransportError } from "@coxswain/client/transport";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCluster } from "../cluster/start-cluster.js";
import type { TestCluster } from "../cluster/test-cluster.js";
import type { FaultRule } from "./fault-rule.js";

const isLost = (error: unknown): boolean => error instanceof TransportError;
const user = { name: "jane", groups: ["system:masters", "system:authenticated"] };

describe("faults by rule", () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({ seed: 1, nodes: 1 });
  }, 60_000);
  beforeEach(() => cluster.faults.clear());
  afterAll(() => cluster.stop());
  const maps = () => cluster.clientFor(user).core.v1.configmaps("default");
  let made = 0;
  const create = () => maps().create({ metadata: { name: `map-${made++}` } });
  const exists = async (name: string): Promise<boolean> =>
    (await cluster.client.core.v1.configmaps("default").list()).items.some(({ metadata }) => metadata?.name === name);

  const refusals: readonly { rule: FaultRule; is: (error: unknown) => boolean; isWritten: boolean }[] = [
    { rule: { fault: "conflict" }, is: isConflict, isWritten: false },
    { rule: { fault: "expired" }, is: isResourceExpired, isWritten: false },
    { rule: { fault: "tooManyRequests", retryAfterSeconds: 0 }, is: isTooManyRequests, isWritten: false },
    { rule: { fault: "internalError" }, is: isInternalError, isWritten: false },
    { rule: { fault: "lostAnswer" }, is: isLost, isWritten: true },
    { rule: { fault: "partition" }, is: isLost, isWritten: false },
  ];
  for (const { rule, is, isWritten } of refusals)
    it(`${rule.fault}: the write ${isWritten ? "happened" : "did not happen"}`, async () => {
      cluster.faults.add({ ...rule, verb: "create", resource: "configmaps", user: "jane", times: 1 });
      await expect(create()).rejects.toSatisfy(is);
      expect(await exists(`map-${made - 1}`)).toBe(isWritten);
      await create();
    });

  it("delay: by the cluster's clock, which can move meanwhile", async () => {
    cluster.faults.add({ fault: "delay", by: "5s", user: "jane", times: 1 });
    const before = cluster.clock.now();
    const creating = create().then(() => cluster.clock.now() - before);
    await cluster.clock.advance("10s");
    expect(await creating).toBe(5000);
  });

  it("tooManyRequests: a client waits as long as the answer asks for, and tries again, as client-go does", async () => {
    cluster.faults.add({ fault: "tooManyRequests", retryAfterSeconds: 30, user: "jane", times: 1 });
    const before = cluster.clock.now();
    const creating = create().then(() => cluster.clock.now() - before);
    await cluster.clock.advance("1m");
    expect(await creating).toBe(30_000);
  });

  const waits: readonly { name: string; rule: FaultRule }[] = [
    { name: "a refusal that asks for it", rule: { fault: "tooManyRequests", retryAfterSeconds: 5 } },
    { name: "a conflict", rule: { fault: "conflict" } },
  ];
  for (const { name, rule } of waits)
    it(`time goes on while a controller waits, in the middle of its work, after ${name}`, async () => {
      await create();
      const name = `map-${made - 1}`;
      cluster.faults.add({ ...rule, verb: "patch", user: /generic-garbage-collector/, times: 1 });
      await maps().delete(name, { propagationPolicy: "Orphan" });
      await cluster.settle();
      expect(await exists(name)).toBe(true);
      await cluster.clock.advance("10s");
      expect(await exists(name)).toBe(false);
      expect(cluster.faults.injected).toBeGreaterThan(0);
    });

  const matching: readonly { name: string; rule: FaultRule; hits: readonly number[] }[] = [
    { name: "the nth", rule: { fault: "conflict", nth: 2 }, hits: [1] },
    { name: "so many times", rule: { fault: "conflict", times: 2 }, hits: [0, 1] },
    { name: "another user", rule: { fault: "conflict", user: "joe" }, hits: [] },
    { name: "another resource", rule: { fault: "conflict", resource: "secrets" }, hits: [] },
    { name: "another verb", rule: { fault: "conflict", verb: "delete" }, hits: [] },
    { name: "by name", rule: { fault: "conflict", verb: "create", name: /never/ }, hits: [] },
  ];
  for (const { name, rule, hits } of matching)
    it(`${name}: requests ${hits.length === 0 ? "pass" : `${hits.join(" and ")} fail`}`, async () => {
      cluster.faults.add({ user: "jane", ...rule });
      const failed: number[] = [];
      for (const at of [0, 1, 2]) await create().catch(() => failed.push(at));
      expect(failed).toEqual(hits);
    });
  it("probability: some of many, the same for the same seed", async () => {
    cluster.faults.add({ fault: "conflict", user: "jane", probability: 0.5 });
    let failed = 0;
    for (let at = 0; at < 30; at++) await create().catch(() => (failed += 1));
    expect(failed).toBeGreaterThan(5);
    expect(failed).toBeLessThan(25);
  });

  it("dropWatches: the user's watches end, those of others go on", async () => {
    const watch = await maps().watch();
    const other = await cluster.client.core.v1.configmaps("default").watch();
    cluster.faults.add({ fault: "dropWatches", user: "jane", nth: 1 });
    await create();
    const ended: string[] = [];
    for await (const _ of watch) ended.push("event");
    for await (const events of other) if (events.length > 0) break;
    expect(cluster.faults.injected).toBeGreaterThan(0);
  });
});

const image = "nginx";
const pods = [
  {
    name: "a pod that crashes",
    annotations: { "run-for": "1s", "exit-code": "3" },
    want: { ready: false, waiting: "CrashLoopBackOff" },
  },
  {
    name: "a pod that never becomes ready",
    annotations: { "ready-after": "1000h" },
    want: { ready: false, waiting: undefined },
  },
  {
    name: "a pod that hangs while it starts",
    annotations: { "start-delay": "1000h" },
    want: { ready: false, waiting: "ContainerCreating" },
  },
  { name: "a pod that works", annotations: {}, want: { ready: true, waiting: undefined } },
];
describe("pods and nodes", () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await startCluster({
      seed: 1,
      nodes: 2,
    });
  }, 60_000);
  afterAll(() => cluster.stop());

  for (const { name, annotations, want } of pods)
    it(name, async () => {
      const client = cluster.client.core.v1.pods("default");
      const prefixed = Object.entries(annotations).map(([key, value]) => [`simulation.coxswain.dev/${key}`, value]);
      const pod = name.replaceAll(" ", "-");
      const readinessProbe = { httpGet: { port: 80 }, periodSeconds: 1 };
      await client.create({
        metadata: { name: pod, annotations: Object.fromEntries(prefixed) as Record<string, string> },
        spec: { containers: [{ name: "main", image, readinessProbe }] },
      });
      await cluster.clock.advance("30s");
      const [container] = (await client.get(pod)).status?.containerStatuses ?? [];
      expect({ ready: container?.ready, waiting: container?.state?.waiting?.reason }).toEqual(want);
    });

  it("a node that recovers while its first requests fail is ready some heartbeats later", async () => {
    const node = async () => (await cluster.client.core.v1.nodes().get("node-0")).status?.conditions;
    const isReady = async () => (await node())?.find(({ type }) => type === "Ready")?.status;
    cluster.nodes.partition("node-0");
    await cluster.clock.advance("1m");
    // Enough for the lease, the status, which does not wait for it, and the events about it.
    cluster.faults.add({ fault: "conflict", verb: "write", user: "system:node:node-0", times: 8 });
    await cluster.nodes.recover("node-0");
    expect(await isReady()).toBe("Unknown");
    await cluster.clock.advance("1m");
    expect(await isReady()).toBe("True");
  });

  it("a node that is cut off is found silent, and is ready again once it recovers", async () => {
    const ready = async (): Promise<string | undefined> =>
      (await cluster.client.core.v1.nodes().get("node-1")).status?.conditions?.find(({ type }) => type === "Ready")
        ?.status;
    cluster.nodes.partition("node-1");
    await cluster.clock.advance("1m");
    expect(await ready()).toBe("Unknown");
    await cluster.nodes.recover("node-1");
    await cluster.clock.advance("1m");
    expect(await ready()).toBe("True");
    expect(() => cluster.nodes.partition("node-9")).toThrow("there is no simulated node node-9");
  });
});
