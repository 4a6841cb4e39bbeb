import { createMetrics } from "@coxswain/component/metrics";
import { expect, it } from "vitest";
import { createSliceMetrics } from "./metrics.js";

it("totals follow services as they change and go", () => {
  const registry = createMetrics();
  const metrics = createSliceMetrics(registry);
  const sync = { added: 0, removed: 0, changed: 0, hasZoneHints: false, trafficDistribution: "PreferClose" };
  const value = (name: string): string | undefined =>
    registry
      .text()
      .split("\n")
      .find((line) => line.startsWith(`endpoint_slice_controller_${name}`))
      ?.split(" ")
      .at(-1);
  metrics.placed("n/a", "IPv4", { endpoints: 150, slices: 3, desiredSlices: 2 }, sync);
  metrics.placed("n/a", "IPv6", { endpoints: 10, slices: 1, desiredSlices: 1 }, sync);
  expect([value("endpoints_desired"), value("num_endpoint_slices"), value("desired_endpoint_slices")]).toEqual([
    "160",
    "4",
    "3",
  ]);
  expect(value("services_count_by_traffic_distribution")).toBe("1");
  metrics.placed(
    "n/a",
    "IPv4",
    { endpoints: 50, slices: 1, desiredSlices: 1 },
    { ...sync, trafficDistribution: undefined },
  );
  expect([value("endpoints_desired"), value("services_count_by_traffic_distribution")]).toEqual(["60", "0"]);
  metrics.forget("n/a");
  expect([value("endpoints_desired"), value("num_endpoint_slices")]).toEqual(["0", "0"]);
});
