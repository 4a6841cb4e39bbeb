import { expect, it } from "vitest";
import { DrawBudget } from "./draw-budget.js";

/** Frames that pass one by one, and rows that draw themselves as far as they may. */
function scene() {
  let frame = 0;
  const requested: (() => void)[] = [];
  const budget = new DrawBudget({ current: () => frame, request: (run) => void requested.push(run) });
  const drawn: string[] = [];
  const row = (name: string) => {
    const self = { forceUpdate: () => void (budget.mayDraw(self) && drawn.push(name)) };
    return self;
  };
  const rows = (count: number, prefix = "") => Array.from({ length: count }, (_, at) => row(`${prefix}${at}`));
  const nextFrame = (): string[] => {
    frame++;
    drawn.length = 0;
    for (const run of requested.splice(0)) run();
    return [...drawn];
  };
  return { budget, drawn, rows, nextFrame };
}

it("rows of a whole screen are drawn over several frames, each once", () => {
  const { rows, drawn, nextFrame } = scene();
  for (const row of rows(20)) row.forceUpdate();
  const frames = [[...drawn], nextFrame(), nextFrame(), nextFrame()];
  expect(frames.map(({ length }) => length)).toEqual([8, 8, 4, 0]);
  expect(new Set(frames.flat()).size).toBe(20);
});

it("what changes while others wait shares the frame with them", () => {
  const { rows, drawn, nextFrame } = scene();
  for (const row of rows(12)) row.forceUpdate();
  expect(nextFrame()).toHaveLength(4);
  for (const row of rows(12, "later ")) row.forceUpdate();
  expect(drawn).toHaveLength(8);
});

it("a row that is gone is not drawn", () => {
  const { budget, rows, nextFrame } = scene();
  const all = rows(10);
  for (const row of all) row.forceUpdate();
  for (const row of all.slice(8)) budget.forget(row);
  expect(nextFrame()).toEqual([]);
});
