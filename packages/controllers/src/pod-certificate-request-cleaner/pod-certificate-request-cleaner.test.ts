import { expect, it } from "vitest";
import { remainingMs } from "./plan.js";

const minute = 60_000;
for (const { name, age, left } of [
  { name: "a new request may stay for a quarter of an hour", age: 0, left: 15 },
  { name: "an older one for the rest of it", age: 10, left: 5 },
  { name: "one of that age may not", age: 15, left: 0 },
  { name: "an even older one neither", age: 99, left: 0 },
])
  it(name, () => expect(remainingMs(0, age * minute)).toBe(left * minute));
