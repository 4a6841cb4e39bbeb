import assert from "node:assert/strict";
import type { Patron, Turns } from "@coxswain/wire/turns";
import { it } from "vitest";
import { PacedAnswers } from "./paced-answers.js";

/** Turns that come when they are called for. */
function createTurns() {
  let patron: Patron | undefined;
  const serve = (most: number): void => {
    if (patron?.serve(0, most) === false) patron = undefined;
  };
  return {
    turns: { enlist: (one: Patron) => void (patron = one) } as Turns,
    serve,
    isIdle: () => patron === undefined,
  };
}

it("tells as many as a turn allows, in their order, and rests when all are told", () => {
  const { turns, serve, isIdle } = createTurns();
  const answers = new PacedAnswers(turns);
  const told: number[] = [];
  for (let i = 1; i <= 5; i++) answers.add(() => told.push(i));
  serve(1);
  assert.deepEqual(told, [1]);
  serve(3);
  answers.add(() => told.push(6));
  serve(16);
  assert.deepEqual(told, [1, 2, 3, 4, 5, 6]);
  assert.ok(isIdle());
  answers.add(() => told.push(7));
  serve(1);
  assert.equal(told.at(-1), 7);
});

it("knows when those are told who were there", async () => {
  const { turns, serve } = createTurns();
  const answers = new PacedAnswers(turns);
  const told: string[] = [];
  answers.add(() => told.push("first"));
  const all = answers.told().then(() => told.push("all"));
  answers.add(() => told.push("later"));
  serve(2);
  await all;
  assert.deepEqual(told, ["first", "all"]);
});
