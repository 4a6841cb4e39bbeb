import { createMetrics } from "@coxswain/component/metrics";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { createOperationMetrics, operationOf } from "./operation-metrics.js";

describe("calls to the container runtime are counted", () => {
  for (const [method, operation] of [
    ["RunPodSandbox", "run_podsandbox"],
    ["PodSandboxStatus", "podsandbox_status"],
    ["ListPodSandboxStats", "list_podsandbox_stats"],
    ["CreateContainer", "create_container"],
    ["UpdateContainerResources", "update_container"],
    ["ExecSync", "exec_sync"],
    ["ImageFsInfo", "image_fs_info"],
    ["Version", "version"],
  ] as const)
    it(`${method} as ${operation}`, () => expect(operationOf(`/runtime.v1.RuntimeService/${method}`)).toBe(operation));

  it("with how long they took, and whether they failed", async () => {
    const metrics = createMetrics({ countItself: false });
    const clock = createVirtualClock({ startMs: 0 });
    const { count } = createOperationMetrics(metrics, clock);
    const slow = count("/s/PullImage", () => new Promise<void>((resolve) => clock.setTimer(2000, resolve)));
    await clock.advance(2000);
    await slow;
    await expect(count("/s/PullImage", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    const text = metrics.text();
    expect(text).toContain('kubelet_runtime_operations_total{operation_type="pull_image"} 2');
    expect(text).toContain('kubelet_runtime_operations_errors_total{operation_type="pull_image"} 1');
    expect(text).toContain('kubelet_runtime_operations_duration_seconds_sum{operation_type="pull_image"} 2');
  });
});
