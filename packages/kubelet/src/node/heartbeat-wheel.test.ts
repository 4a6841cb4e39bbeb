import type { Clock } from "@coxswain/runtime/clock";
import { expect, it } from "vitest";
import { createHeartbeatWheel } from "./heartbeat-wheel.js";

const periodMs = 10_000;

/** The clock of a process whose event loop takes `iterationMs` for each iteration: timers fire at the beginning of one. */
function createBusyLoop(iterationMs: number): { readonly clock: Clock; run(forMs: number): void } {
  let now = 0;
  let timers: { readonly at: number; readonly fire: () => void }[] = [];
  return {
    clock: {
      now: () => now,
      monotonic: () => now,
      setTimer(ms, fire) {
        const timer = { at: now + ms, fire };
        timers.push(timer);
        return { cancel: () => void (timers = timers.filter((other) => other !== timer)) };
      },
    },
    run(forMs) {
      for (const end = now + forMs; now < end; now += iterationMs) {
        const due = timers.filter(({ at }) => at <= now);
        timers = timers.filter((timer) => !due.includes(timer));
        for (const { fire } of due) fire();
      }
    },
  };
}

const cases = [
  { name: "an idle process: members are spread over the period", iterationMs: 1, members: 5_000, mostAtOnce: 13 },
  { name: "iterations of 25 ms: one slot in each", iterationMs: 25, members: 5_000, mostAtOnce: 26 },
  {
    name: "iterations of 125 ms: all slots whose time has come beat together",
    iterationMs: 125,
    members: 5_000,
    mostAtOnce: 78,
  },
  { name: "iterations of a second", iterationMs: 1_000, members: 5_000, mostAtOnce: 520 },
  {
    name: "iterations as long as the period: all members beat in each",
    iterationMs: periodMs,
    members: 1_000,
    mostAtOnce: 1_000,
  },
];

for (const { name, iterationMs, members, mostAtOnce } of cases)
  it(`however long the event loop takes, no member waits longer than a period and an iteration: ${name}`, () => {
    const loop = createBusyLoop(iterationMs);
    const beatAt = new Map<number, number>();
    let longest = 0;
    let largest = 0;
    const wheel = createHeartbeatWheel<number>({
      periodMs,
      clock: loop.clock,
      beat(due) {
        largest = Math.max(largest, due.length);
        const now = loop.clock.monotonic();
        for (const member of due) {
          longest = Math.max(longest, now - (beatAt.get(member) ?? 0));
          beatAt.set(member, now);
        }
      },
    });
    for (let member = 0; member < members; member++) wheel.add(member);
    loop.run(6 * periodMs);
    for (const at of beatAt.values()) longest = Math.max(longest, loop.clock.monotonic() - at);
    wheel.stop();
    expect(beatAt.size).toBe(members);
    expect(longest).toBeLessThanOrEqual(periodMs + iterationMs);
    expect(largest).toBeLessThanOrEqual(mostAtOnce);
  });

it("the members of a small cluster beat ten at a time, spread over the period", () => {
  const loop = createBusyLoop(1);
  const beats: { readonly at: number; readonly members: number }[] = [];
  const beat = (due: readonly number[]): void => void beats.push({ at: loop.clock.monotonic(), members: due.length });
  const wheel = createHeartbeatWheel<number>({ periodMs, clock: loop.clock, beat });
  for (let member = 0; member < 100; member++) wheel.add(member);
  loop.run(2 * periodMs);
  wheel.stop();
  const second = beats.filter(({ at }) => at >= periodMs);
  expect(second.map(({ members }) => members)).toEqual(Array(10).fill(10));
  const gaps = second.slice(1).map(({ at }, index) => at - (second[index]?.at ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(2000);
});
