import { expect, it } from "vitest";
import { repeatedPositions } from "./repeated-positions.js";

const cases = [
  { name: "no value twice", values: ["a", "b"], repeated: [] },
  { name: "one value three times: all but the first", values: ["a", "b", "a", "a"], repeated: [2, 3] },
  { name: "numbers", values: [1, 2, 1], repeated: [2] },
  { name: "nothing", values: [], repeated: [] },
];
for (const { name, values, repeated } of cases)
  it(name, () => expect([...repeatedPositions(values)]).toEqual(repeated));
