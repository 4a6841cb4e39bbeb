import { createVirtualClock } from "@coxswain/runtime/clock";
import { createSeededRandom } from "@coxswain/runtime/random";
import { expect, it } from "vitest";
import { deal, hashFlow } from "./dealer.js";
import type { FairRequest, Flow, WorkEstimate } from "./fair-request.js";
import { FlowTally } from "./flow-tally.js";
import type { RequestDigest } from "./match-flow-schema.js";
import { type QueueConfig, QueueSet } from "./queue-set.js";

const digest = { user: { name: "u", groups: [] }, info: {} } as unknown as RequestDigest;

/** Watches that send a list first, lists of any width, writes that linger and reads, over levels whose limits and queues change; some clients give up. */
async function simulate(seed: number): Promise<void> {
  const random = createSeededRandom(seed);
  const upTo = (limit: number): number => Math.floor(random.next() * limit);
  const clock = createVirtualClock();
  const configOf = (): QueueConfig => ({ type: "queue", queues: 8 + upTo(8), queueLengthLimit: 1 + upTo(20) });
  const sets = Array.from(
    { length: 3 },
    () => new QueueSet({ clock, config: configOf(), concurrencyLimit: 1 + upTo(12) }),
  );
  const tally = new FlowTally("level", "schema");
  const works: (() => WorkEstimate)[] = [
    () => ({ initialSeats: 1, finalSeats: 0, additionalMs: 0 }),
    () => ({ initialSeats: 1 + upTo(10), finalSeats: 0, additionalMs: 0 }),
    () => ({ initialSeats: 1, finalSeats: 1 + upTo(10), additionalMs: upTo(20) }),
  ];
  let open = 0;
  let ended = 0;
  const ask = (): void => {
    const set = sets[upTo(sets.length)] as QueueSet;
    const user = `user-${Math.floor(random.next() ** 3 * 20)}`;
    const queues = set.config.type === "queue" ? set.config.queues : 0;
    const flow: Flow = { tally, distinguisher: user, hand: deal(hashFlow("schema", user), queues, 4) };
    const request: FairRequest | string = set.start(flow, digest, (works[upTo(works.length)] ?? works[0]!)());
    open += 1;
    const end = (): void => {
      open -= 1;
      ended += 1;
    };
    if (typeof request === "string") return end();
    const run = (): void => {
      const limit = set.concurrencyLimit;
      expect(set.seatsInUse <= limit || set.executing >= 1).toBe(true);
      clock.setTimer(upTo(30), () => {
        set.finish(request);
        end();
      });
    };
    if (request.state === "executing") return run();
    request.decide = (mayRun) => (mayRun ? run() : end());
    if (random.next() < 0.2) clock.setTimer(upTo(50), () => set.cancel(request));
  };
  for (let each = 0; each < 1500; each++) clock.setTimer(upTo(2000), ask);
  for (let each = 0; each < 20; each++)
    clock.setTimer(upTo(2000), () => sets[upTo(sets.length)]?.configure(configOf(), 1 + upTo(12)));
  await clock.advance(600_000);
  expect({ seed, open, ended }).toEqual({ seed, open: 0, ended: 1500 });
  for (const set of sets)
    expect([set.executing, set.waiting, set.seatsInUse, set.waitingSeats, set.isIdle]).toEqual([0, 0, 0, 0, true]);
  expect([tally.executing, tally.executingSeats, tally.waiting, tally.waitingSeats]).toEqual([0, 0, 0, 0]);
}

for (let seed = 1; seed <= 8; seed++)
  it(`watches, lists and writes compete and all come to an end (seed ${seed})`, () => simulate(seed));
