import { expect, it } from "vitest";
import { SeatDemand } from "./seat-demand.js";

it("demand is averaged over time, with its deviation and its highest value", () => {
  const demand = new SeatDemand(0);
  demand.set(3, 0);
  demand.close(1000);
  expect(demand).toMatchObject({ average: 3, deviation: 0, highWatermark: 3, smoothed: 3 });
  demand.set(2, 1000);
  demand.set(1, 1001);
  demand.close(1002);
  expect(demand).toMatchObject({ average: 1.5, deviation: 0.5, highWatermark: 3 });
  expect(demand.smoothed).toBeCloseTo(0.977 * 3 + 0.023 * 2);
});

it("demand that has gone is forgotten slowly, also while nobody looks", () => {
  const looked = new SeatDemand(0);
  const skipped = new SeatDemand(0);
  for (const demand of [looked, skipped]) {
    demand.set(100, 0);
    demand.set(0, 10_000);
    demand.close(10_000);
  }
  for (let period = 2; period <= 11; period++) looked.close(period * 10_000);
  skipped.skip(10, 110_000);
  expect(looked.smoothed).toBeCloseTo(100 * 0.977 ** 10);
  expect(skipped.smoothed).toBeCloseTo(looked.smoothed);
});
