import type { PodStatus, ResourceRequirements } from "@coxswain/api/core/v1";
import { testRuntime } from "@coxswain/runtime";
import { expect, it } from "vitest";
import { c, pod, run, sandbox } from "../pod/pod.test.support.js";
import type { NodeContext } from "./node-context.js";
import { PodWorker, type PodWorkerOptions } from "./pod-worker.js";

const cpu = (amount: string): ResourceRequirements => ({ requests: { cpu: amount }, limits: { cpu: amount } });

/** A worker whose pod runs with one processor and asks for two since its second generation, on a node whose volumes take their time. */
function startWorker(): { readonly reports: (PodStatus | undefined)[]; stop(): Promise<void> } {
  const reports: (PodStatus | undefined)[] = [];
  const runtime = {
    sandboxes: [sandbox()],
    containers: new Map([["a", [run("a", "running", { resources: cpu("1") })]]]),
  };
  const context = {
    hostIPs: [],
    runtime: testRuntime(1),
    containers: { name: "fake", podStatus: async () => runtime },
    host: {
      allocation: () => ({ allocated: new Map([["a", cpu("1")]]), actuated: new Map([["a", cpu("1")]]) }),
      mount: (_: unknown, signal: AbortSignal) =>
        new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    },
    writer: { enqueue: (worker: PodWorker) => void reports.push(worker.wanted()) },
    admitResize: () => ({ admitted: true }),
    record: () => {},
  } as unknown as NodeContext;
  const resized = pod(
    { containers: [c("a", { resources: cpu("2") })] },
    { generation: 2 },
    { status: { phase: "Running", startTime: "2026-01-01T00:00:00Z" } },
  );
  const options = {
    context,
    pod: resized,
    puller: {},
    onGone() {},
    isHeld: () => false,
  } as unknown as PodWorkerOptions;
  const worker = new PodWorker(options);
  worker.begin();
  return { reports, stop: () => worker.stop() };
}

it("the first status that has seen a resize shows that it is under way, however long volumes take", async () => {
  const { reports, stop } = startWorker();
  await expect.poll(() => reports.length).toBe(1);
  const [status] = reports;
  expect(status).toMatchObject({ observedGeneration: 2, containerStatuses: [{ resources: cpu("1") }] });
  expect(status?.conditions?.filter(({ type }) => type.startsWith("PodResize"))).toMatchObject([
    { type: "PodResizeInProgress", status: "True", observedGeneration: 2 },
  ]);
  await stop();
});
