import { describe, expect, it } from "vitest";
import type { KubeletFigures } from "./measure-kubelet.js";
import { percentile, report } from "./report.js";

describe("figures of two kubelets", () => {
  it("a percentile is one of the values", () => {
    const values = [5, 1, 4, 2, 3];
    expect([percentile(values, 50), percentile(values, 99), percentile(values, 1)]).toEqual([3, 5, 1]);
  });

  it("are ours in upstream's", () => {
    const figures = (scale: number): KubeletFigures => ({
      startMs: [100 * scale, 200 * scale],
      megabytes: 80 * scale,
      idlePercent: scale,
      burst: { ms: 1000 * scale, cpuMsPerPod: 20 * scale },
      loopDelay: scale === 1 ? { p99: 7, max: 30 } : undefined,
    });
    const lines = report(figures(1), figures(2));
    expect(lines[0]).toBe("pod start, median: ours 100 ms, upstream's 200 ms, ratio 0.50");
    expect(lines.at(-1)).toBe("delay of our event loop meanwhile: p99 7.0 ms, max 30 ms");
  });
});
