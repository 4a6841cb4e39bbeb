import { expect, it } from "vitest";
import { serverNodeOptions } from "./node-options.js";

it.each([
  [1, "--v8-pool-size=1"],
  [2, "--v8-pool-size=1"],
  [4, "--v8-pool-size=3"],
  [64, "--v8-pool-size=4"],
])("with %i cores V8's helpers leave one to who serves", (cores, option) => {
  expect(serverNodeOptions(cores)).toEqual([option]);
});
