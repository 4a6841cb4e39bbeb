import { expect, it } from "vitest";
import { OnePerIteration } from "./one-per-iteration.js";

it("those who wait go on in their order, and the event loop runs between two", async () => {
  const gate = new OnePerIteration();
  const seen: string[] = [];
  let over = false;
  const tick = (): void => {
    seen.push("loop");
    if (!over) setImmediate(tick);
  };
  setImmediate(tick);
  await Promise.all(
    ["a", "b", "c"].map(async (name) => {
      for (let round = 0; round < 2; round++) {
        await gate.next();
        seen.push(name);
      }
    }),
  );
  over = true;
  expect(seen.filter((each) => each !== "loop")).toEqual(["a", "b", "c", "a", "b", "c"]);
  for (const [at, each] of seen.entries()) if (at > 0 && each !== "loop") expect(seen[at - 1]).toBe("loop");
});
