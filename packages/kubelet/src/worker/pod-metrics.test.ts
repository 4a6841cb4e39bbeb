import { createMetrics } from "@coxswain/component/metrics";
import { expect, it } from "vitest";
import { container, startTestNodes } from "../test-nodes.test.support.js";

it("counts how long pods take to start, what was refused and what was evicted", async () => {
  const metrics = createMetrics({ countItself: false });
  const cluster = await startTestNodes({ metrics });
  try {
    const slow = { annotations: { "simulation.coxswain.dev/start-delay": "3s" } };
    await cluster.createPod("web", {}, slow);
    await cluster.createPod("large", {
      containers: [container({ resources: { requests: { cpu: "1000" } } })],
    });
    const full = { containers: [container({ resources: { limits: { "ephemeral-storage": "1Ki" } } })] };
    await cluster.createPod("full", full, { annotations: { "simulation.coxswain.dev/ephemeral-storage": "1Mi" } });
    await cluster.advance(30_000);
    const lines = metrics.text().split("\n");
    const value = (series: string): number =>
      Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length));
    const pods = await Promise.all(["web", "large", "full"].map((name) => cluster.pod(name)));
    expect(pods.map(({ status }) => status?.phase)).toEqual(["Running", "Failed", "Failed"]);
    expect(value("kubelet_pod_start_duration_seconds_count")).toBe(2);
    expect(value("kubelet_pod_start_total_duration_seconds_count")).toBe(2);
    expect(value("kubelet_pod_start_sli_duration_seconds_count")).toBe(2);
    expect(value("kubelet_pod_start_total_duration_seconds_sum")).toBeGreaterThanOrEqual(3);
    expect(value('kubelet_admission_rejections_total{reason="OutOfcpu"}')).toBe(1);
    expect(value('kubelet_pod_worker_duration_seconds_count{operation_type="create"}')).toBe(3);
    expect(value("kubelet_pod_status_sync_duration_seconds_count")).toBeGreaterThan(2);
    expect(value('kubelet_run_podsandbox_duration_seconds_count{runtime_handler=""}')).toBe(2);
    expect(value('kubelet_evictions{eviction_signal="ephemeralpodfs.limit"}')).toBe(1);
  } finally {
    await cluster.stop();
  }
});
