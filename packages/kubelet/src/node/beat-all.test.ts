import { testRuntime } from "@coxswain/runtime";
import { macrotask } from "@coxswain/runtime/event-loop";
import { expect, it } from "vitest";
import { beatAll } from "./beat-all.js";

it("all renewals are sent before a node looks after anything else, and nobody waits for the answer to one", async () => {
  const done: string[] = [];
  let answer: (() => void) | undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const nodes = Array.from({ length: 20 }, () => ({
    renew: () => (done.push("renew"), answered),
    look: async () => void done.push("look"),
  }));
  const beating = beatAll(testRuntime(1).scheduler, nodes);
  while (done.length < 40) await macrotask();
  expect(done.slice(0, 20)).toEqual(Array(20).fill("renew"));
  answer?.();
  await beating;
});

it("after the process stood still, renewals of thousands of nodes leave time for sockets and timers between them", async () => {
  let sent = 0;
  const node = { renew: async () => void sent++, look: async () => {} };
  const beating = beatAll(
    testRuntime(1).scheduler,
    Array.from({ length: 1_000 }, () => node),
  );
  expect(sent).toBe(250);
  await beating;
  expect(sent).toBe(1_000);
});
