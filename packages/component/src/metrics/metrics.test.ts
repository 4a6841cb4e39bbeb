import { exponentialBuckets } from "@coxswain/runtime/metrics";
import { describe, expect, it } from "vitest";
import { createMetrics } from "./index.js";
import { numberText } from "./number-text.js";

const without = (text: string): string => text.replace(/# HELP registered_metrics_total[^]*?(?=# HELP|$)/, "");

describe("metrics", () => {
  it("writes counters and gauges sorted by name, with sorted and escaped labels", () => {
    const metrics = createMetrics();
    const total = metrics.counter({ name: "b_total", help: "Bs.", labels: ["verb", "code"], stability: "STABLE" });
    total.with("GET", "200").add(2);
    total.with('a"\\\n', "500").add(1);
    metrics.gauge({ name: "a", help: "As.", stability: "ALPHA" }).with().set(1_000_000);
    expect(without(metrics.text())).toBe(
      '# HELP a [ALPHA] As.\n# TYPE a gauge\na 1e+06\n# HELP b_total [STABLE] Bs.\n# TYPE b_total counter\nb_total{code="200",verb="GET"} 2\nb_total{code="500",verb="a\\"\\\\\\n"} 1\n',
    );
  });
  it("a bucket holds what is at most its bound, and all that is in the buckets below", () => {
    const metrics = createMetrics();
    const series = metrics
      .histogram({ name: "h", help: "Hs.", labels: ["x"], buckets: [0.1, 1], stability: "BETA" })
      .with("y");
    for (const value of [0.1, 0.5, 7]) series.observe(value);
    expect(without(metrics.text()).split("\n").slice(2, -1)).toEqual([
      'h_bucket{x="y",le="0.1"} 1',
      'h_bucket{x="y",le="1"} 2',
      'h_bucket{x="y",le="+Inf"} 3',
      'h_sum{x="y"} 7.6',
      'h_count{x="y"} 3',
    ]);
  });
  it("writes protobuf, which Prometheus' own decoder reads as the text", () => {
    const metrics = createMetrics({ countItself: false });
    metrics
      .counter({ name: "b_total", help: "Bs.", labels: ["verb"], stability: "STABLE" })
      .with('a"\n')
      .add(2);
    metrics.counter({ name: "silent_total", help: "S.", labels: ["x"], stability: "ALPHA" });
    metrics
      .histogram({ name: "h", help: "Hs.", buckets: [0.5], stability: "none" })
      .with()
      .observe(7, 200);
    // The decoder of github.com/prometheus/common reads these bytes as the text that `text()` writes.
    expect(metrics.protobuf().map((part) => Buffer.from(part).toString("hex"))).toEqual([
      "330a07625f746f74616c120c5b535441424c455d2042732e180022180a0b0a0476657262120361220a1a09090000000000000040",
      "270a0168120348732e1804221b3a191a0b080011000000000000e03f110000000000e0954008c801",
      "",
    ]);
  });
  it("without labels there is a value from the start; with labels there is none before the first series", () => {
    const metrics = createMetrics();
    metrics.counter({ name: "plain_total", help: "P.", stability: "ALPHA" });
    metrics.counter({ name: "labelled_total", help: "L.", labels: ["x"], stability: "ALPHA" });
    expect(without(metrics.text())).toContain("plain_total 0\n");
    expect(metrics.text()).not.toContain("labelled_total");
    expect(metrics.names()).toContain("labelled_total");
  });
  it("counts its own metrics by stability, and runtime metrics not at all", () => {
    const metrics = createMetrics();
    metrics.counter({ name: "a_total", help: "A.", stability: "STABLE" });
    metrics.counter({ name: "n_total", help: "N.", stability: "none" });
    expect(metrics.text()).toContain(
      'registered_metrics_total{deprecated_version="",stability_level="BETA"} 1\nregistered_metrics_total{deprecated_version="",stability_level="STABLE"} 1\n',
    );
    expect(metrics.text()).toContain("# HELP n_total N.\n");
  });
  it("asks for a collected value at every scrape, and leaves out what is not reported", () => {
    const metrics = createMetrics();
    let value: number | undefined = 3;
    metrics.collectGauge(
      { name: "g", help: "G.", stability: "ALPHA" },
      (report) => value !== undefined && report(value),
    );
    expect(metrics.text()).toContain("\ng 3\n");
    value = undefined;
    expect(metrics.text()).not.toContain("# HELP g ");
  });
  it("refuses a second metric of one name, and the wrong number of labels", () => {
    const metrics = createMetrics();
    const one = metrics.counter({ name: "a_total", help: "A.", labels: ["x"], stability: "STABLE" });
    expect(() => metrics.gauge({ name: "a_total", help: "A.", stability: "STABLE" })).toThrow("a_total");
    expect(() => one.with("a", "b")).toThrow("labels x");
  });
  it("bounds grow by their factor", () => expect(exponentialBuckets(1000, 10, 3)).toEqual([1000, 10_000, 100_000]));
});

// Made with strconv.FormatFloat(x, 'g', -1, 64).
const numbers: [number, string][] = [
  [0, "0"],
  [0.005, "0.005"],
  [0.0001, "0.0001"],
  [0.00001, "1e-05"],
  [123_456, "123456"],
  [1_000_000, "1e+06"],
  [1_794_789_854.25, "1.79478985425e+09"],
  [-2.5, "-2.5"],
  [1e-10, "1e-10"],
  [1e100, "1e+100"],
  [Number.POSITIVE_INFINITY, "+Inf"],
  [Number.NaN, "NaN"],
];
describe("numbers in metrics", () => {
  for (const [value, text] of numbers) it(text, () => expect(numberText(value)).toBe(text));
});
