import { afterEach, describe, expect, it } from "vitest";
import { container, startTestNodes, type TestNodes } from "./test-nodes.test.support.js";

let cluster: TestNodes | undefined;
afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
});

const shell = (script: string) => container({ command: ["sh", "-c", script] });
const statusOf = async (name: string) => (await cluster?.pod(name))?.status?.containerStatuses?.[0];

describe("a pod whose program is over its budget", () => {
  const bombs: { name: string; script: string; code: number; reason: string }[] = [
    { name: "by recursion", script: "f() { f; }; f", code: 1, reason: "Error" },
    { name: "by memory", script: "a=xxxxxxxx; while :; do a=$a$a; done", code: 137, reason: "OOMKilled" },
    { name: "by processes", script: "f() { (f); }; f", code: 2, reason: "Error" },
  ];
  for (const { name, script, code, reason } of bombs)
    it(`restarts with back-off, ${name}, and the API server answers`, async () => {
      cluster = await startTestNodes();
      await cluster.createPod("bomb", { containers: [shell(script)] });
      await cluster.advance(60_000);
      expect(await statusOf("bomb")).toMatchObject({
        restartCount: 3,
        state: { waiting: { reason: "CrashLoopBackOff" } },
        lastState: { terminated: { exitCode: code, reason } },
      });
      expect((await cluster.events("bomb")).some((event) => event.startsWith("BackOff"))).toBe(true);
    });
});

describe("a pod whose program never ends", () => {
  it("runs, and is killed when its grace period is over, though it handles the stop signal without end", async () => {
    cluster = await startTestNodes();
    await cluster.createPod("loop", {
      containers: [shell("trap 'while :; do :; done' TERM; while :; do :; done")],
      terminationGracePeriodSeconds: 5,
    });
    await cluster.advance(1000);
    expect(await statusOf("loop")).toMatchObject({ restartCount: 0, state: { running: {} } });
    await cluster.client.core.v1.pods("default").delete("loop");
    await cluster.advance(4000);
    expect((await cluster.pod("loop")).metadata?.deletionTimestamp).toBeDefined();
    await cluster.advance(3000);
    await expect(cluster.pod("loop")).rejects.toThrow("not found");
  });

  it("does not keep another one from being probed", async () => {
    cluster = await startTestNodes();
    for (let i = 0; i < 10; i++) await cluster.createPod(`loop-${i}`, { containers: [shell("while :; do :; done")] });
    await cluster.createPod("web", {
      containers: [container({ readinessProbe: { exec: { command: ["sh", "-c", "true"] }, periodSeconds: 1 } })],
    });
    await cluster.advance(3000);
    expect(await statusOf("web")).toMatchObject({ ready: true });
  });
});
