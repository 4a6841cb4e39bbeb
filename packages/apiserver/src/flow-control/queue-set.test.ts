import { createVirtualClock, type VirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { deal, hashFlow } from "./dealer.js";
import { FairRequest, type Flow, oneSeat, type WorkEstimate } from "./fair-request.js";
import { FlowTally } from "./flow-tally.js";
import type { RequestDigest } from "./match-flow-schema.js";
import { QueueSet } from "./queue-set.js";

const digest = { user: { name: "u", groups: [] }, info: {} } as unknown as RequestDigest;
const tally = new FlowTally("level", "schema");
const flow = (distinguisher: string, queues = 64): Flow => ({
  tally,
  distinguisher,
  hand: deal(hashFlow("schema", distinguisher), queues, Math.min(6, queues)),
});
/** With six queues that no other such flow has. */
const apart = (number: number): Flow => ({
  tally,
  distinguisher: String(number),
  hand: Array.from({ length: 6 }, (_, at) => number * 6 + at),
});
const seats = (initialSeats: number): WorkEstimate => ({ initialSeats, finalSeats: 0, additionalMs: 0 });
const queued = (clock: VirtualClock, concurrencyLimit: number, queueLengthLimit = 50): QueueSet =>
  new QueueSet({
    clock,
    concurrencyLimit,
    config: { type: "queue", queues: 64, queueLengthLimit },
  });
const startOf = (set: QueueSet, of: Flow, work = oneSeat): FairRequest => {
  const started = set.start(of, digest, work);
  if (typeof started === "string") throw new Error(started);
  return started;
};

/** Clients that ask again as soon as they are answered; answers how often each flow was served. */
async function serve(
  clock: VirtualClock,
  set: QueueSet,
  clients: readonly { flow: Flow; count: number; work?: WorkEstimate; ms: number }[],
  forMs: number,
): Promise<{ served: number; maxWaitMs: number }[]> {
  const outcome = clients.map(() => ({ served: 0, maxWaitMs: 0 }));
  const end = clock.monotonic() + forMs;
  for (const [at, { flow: of, count, work = oneSeat, ms }] of clients.entries()) {
    const mine = outcome[at] as (typeof outcome)[number];
    const ask = (): void => {
      if (clock.monotonic() >= end) return;
      const request = startOf(set, of, work);
      const run = (): void => {
        mine.maxWaitMs = Math.max(mine.maxWaitMs, clock.monotonic() - request.arrivedMs);
        clock.setTimer(ms, () => {
          mine.served += 1;
          set.finish(request);
          ask();
        });
      };
      if (request.state === "executing") run();
      else request.decide = (mayRun) => void (mayRun && run());
    };
    for (let each = 0; each < count; each++) ask();
  }
  await clock.advance(forMs + 60_000);
  expect([set.executing, set.waiting, set.seatsInUse, set.waitingSeats]).toEqual([0, 0, 0, 0]);
  return outcome;
}

describe("the seats of a priority level", () => {
  it("a request that finds a free seat executes at once; others wait, first in, first out", () => {
    const set = queued(createVirtualClock(), 1);
    const [first, second, third] = [startOf(set, flow("a")), startOf(set, flow("a")), startOf(set, flow("a"))] as const;
    expect([first.state, second.state, third.state]).toEqual(["executing", "waiting", "waiting"]);
    set.finish(first);
    expect([first.state, second.state, third.state]).toEqual(["finished", "executing", "waiting"]);
    set.finish(first);
    expect(third.state).toBe("waiting");
  });
  it("a full queue refuses; another flow's does not", () => {
    const set = queued(createVirtualClock(), 1, 2);
    let refused = 0;
    for (let each = 0; each < 50; each++) if (set.start(flow("flood"), digest, oneSeat) === "queue-full") refused += 1;
    expect({ refused, waiting: set.waiting, executing: set.executing }).toEqual({
      refused: 50 - 12 - 1,
      waiting: 12,
      executing: 1,
    });
    expect(startOf(set, flow("other")).state).toBe("waiting");
  });
  it("a level without queues refuses", () => {
    const set = new QueueSet({ clock: createVirtualClock(), concurrencyLimit: 1, config: { type: "reject" } });
    const first = startOf(set, flow("a"));
    expect(set.start(flow("a"), digest, oneSeat)).toBe("concurrency-limit");
    set.finish(first);
    expect(startOf(set, flow("a")).state).toBe("executing");
  });
  it("exempt requests always find a seat", () => {
    const set = new QueueSet({ clock: createVirtualClock(), concurrencyLimit: 0, config: { type: "exempt" } });
    expect([startOf(set, flow("a")).state, startOf(set, flow("a")).state]).toEqual(["executing", "executing"]);
  });
  it("a cancelled request leaves its queue, and is notified", () => {
    const set = queued(createVirtualClock(), 1);
    startOf(set, flow("a"));
    const waiting = startOf(set, flow("a"));
    const decisions: boolean[] = [];
    waiting.decide = (mayRun) => decisions.push(mayRun);
    set.cancel(waiting);
    set.cancel(waiting);
    expect({ decisions, waiting: set.waiting, cancelled: set.cancelled }).toEqual({
      decisions: [false],
      waiting: 0,
      cancelled: 1,
    });
  });
  it("a request wider than the level runs alone", () => {
    const set = queued(createVirtualClock(), 4);
    const narrow = startOf(set, flow("a"));
    const wide = startOf(set, flow("b"), seats(9));
    expect(wide.state).toBe("waiting");
    set.finish(narrow);
    expect(wide.state).toBe("executing");
  });
  it("seats of a write stay taken while its events are on their way", async () => {
    const clock = createVirtualClock();
    const set = queued(clock, 4);
    const write = startOf(set, flow("a"), { initialSeats: 1, finalSeats: 4, additionalMs: 10 });
    const next = startOf(set, flow("b"));
    set.finish(write);
    expect([set.executing, set.seatsInUse, next.state]).toEqual([0, 4, "waiting"]);
    await clock.advance(10);
    expect(next.state).toBe("executing");
  });
  it("fewer queues are wanted: those left over go when they are empty", () => {
    const set = queued(createVirtualClock(), 1);
    const requests = Array.from({ length: 30 }, (_, at) => startOf(set, flow(`f${at}`)));
    set.configure({ type: "queue", queues: 2, queueLengthLimit: 50 }, 100);
    expect(requests.every(({ state }) => state === "executing")).toBe(true);
    for (const request of requests) set.finish(request);
    expect(set.queues.length).toBe(2);
    expect(startOf(set, flow("x", 2)).state).toBe("executing");
  });
});

describe("the reserve of a priority level", () => {
  const of = (name: string): RequestDigest => ({ ...digest, user: { name, groups: [] } }) as RequestDigest;
  const start = (set: QueueSet, user: string, work = oneSeat): FairRequest =>
    set.start(flow(user), of(user), work) as FairRequest;

  it("one user's requests that last leave seats to users who hold none", () => {
    const set = queued(createVirtualClock(), 16);
    const lasting = Array.from({ length: 60 }, () => start(set, "hostile"));
    expect(lasting.filter(({ state }) => state === "executing")).toHaveLength(14);
    const other = [start(set, "other"), start(set, "other")] as const;
    expect(other.map(({ state }) => state)).toEqual(["executing", "waiting"]);
    set.finish(other[0]);
    expect(other[1].state).toBe("executing");
    expect(set.waiting).toBe(60 - 14);
  });
  it("a full queue refuses although reserved seats are free", () => {
    const set = queued(createVirtualClock(), 16, 2);
    const outcomes = Array.from({ length: 60 }, () => set.start(flow("hostile"), of("hostile"), oneSeat));
    expect(outcomes.filter((outcome) => outcome === "queue-full")).toHaveLength(60 - 14 - 12);
  });
  it("a level without queues refuses a user who would take the reserve, and nobody else", () => {
    const set = new QueueSet({ clock: createVirtualClock(), concurrencyLimit: 8, config: { type: "reject" } });
    for (let at = 0; at < 7; at++) start(set, "hostile");
    expect(set.start(flow("hostile"), of("hostile"), oneSeat)).toBe("concurrency-limit");
    expect(start(set, "other").state).toBe("executing");
  });
});

describe("fair shares", () => {
  it("a client that asks for little is served as if nobody else were there, whatever another asks for", async () => {
    const clock = createVirtualClock();
    const [flood, little] = await serve(
      clock,
      queued(clock, 4, 1000),
      [
        { flow: flow("flood"), count: 500, ms: 10 },
        { flow: flow("little"), count: 1, ms: 10 },
      ],
      10_000,
    );
    expect(little?.maxWaitMs).toBeLessThanOrEqual(10);
    expect(little?.served).toBeGreaterThan(480);
    expect((flood?.served ?? 0) + (little?.served ?? 0)).toBeGreaterThan(3990);
  });
  it("two that both want all get the same", async () => {
    const clock = createVirtualClock();
    const [many, few] = await serve(
      clock,
      queued(clock, 4, 1000),
      [
        { flow: apart(0), count: 200, ms: 10 },
        { flow: apart(1), count: 20, ms: 10 },
      ],
      10_000,
    );
    // The many stand in six queues and the few in as many.
    expect((few?.served ?? 0) / (many?.served ?? 1)).toBeGreaterThan(0.9);
  });
  it("what counts is seats held for a time, not requests", async () => {
    const clock = createVirtualClock();
    const [wide, narrow] = await serve(
      clock,
      queued(clock, 13, 1000), // one of them in reserve
      [
        { flow: apart(0), count: 60, ms: 3, work: seats(3) },
        { flow: apart(1), count: 60, ms: 3 },
      ],
      6_000,
    );
    const ratio = ((wide?.served ?? 0) * 3) / (narrow?.served ?? 1);
    expect(ratio).toBeGreaterThan(0.85);
    expect(ratio).toBeLessThan(1.15);
  });
  it("a flow with longer requests is served less often", async () => {
    const clock = createVirtualClock();
    const [slow, quick] = await serve(
      clock,
      queued(clock, 6, 1000),
      [
        { flow: apart(0), count: 30, ms: 50 },
        { flow: apart(1), count: 30, ms: 10 },
      ],
      20_000,
    );
    const ratio = ((slow?.served ?? 0) * 5) / (quick?.served ?? 1);
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.25);
  });
});
