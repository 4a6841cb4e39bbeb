import { internalError, resourceExpired, tooManyRequests, unauthorized } from "@coxswain/apimachinery/status";
import { testRuntime } from "@coxswain/runtime";
import { type Clock, createVirtualClock } from "@coxswain/runtime/clock";
import { createSeededRandom, randomInt, type SeededRandom } from "@coxswain/runtime/random";
import { sleep } from "@coxswain/runtime/wait";
import { describe, expect, it } from "vitest";
import { createFakeServer, type Thing } from "./fake-server.test.support.js";
import { createSharedInformer } from "./shared-informer.js";

/** A wall clock that somebody sets while timers run on. */
function jumpingClock(inner: Clock): Clock & { jump(ms: number): void } {
  let offset = 0;
  return {
    now: () => inner.now() + offset,
    monotonic: () => inner.monotonic(),
    setTimer: (ms, fire) => inner.setTimer(ms, fire),
    jump: (ms) => void (offset += ms),
  };
}

const errors = [
  () => tooManyRequests("too many requests", 3),
  () => internalError("etcdserver: request timed out"),
  () => unauthorized("Unauthorized"),
  () => new Error("Unexpected token '<', \"<html>\" is not valid JSON"),
  () => new Error("connect ECONNREFUSED"),
];

/** Runs one storm: what the cache, a handler and the server hold in the end, and a log of all notifications. */
async function storm(seed: number) {
  const random = createSeededRandom(seed);
  const chance = random.fork("faults");
  const clock = createVirtualClock();
  const wall = jumpingClock(clock);
  let refusal: (() => Error) | undefined;
  let refusals = 0;
  let calm = false;
  let watchList = chance.next() < 0.7;
  const history = new Set<string>();

  async function fault(): Promise<void> {
    if (!calm && chance.next() < 0.3) await sleep(randomInt(3000, chance), { clock });
    if (refusals > 0 && refusal !== undefined) {
      refusals--;
      throw refusal();
    }
  }
  const server = createFakeServer({
    clock,
    watchList: () => watchList,
    plainRefusal: seed % 2 === 0,
    faults: {
      beforeWatch: fault,
      async beforeList(request) {
        await fault();
        if (calm || request.continue === undefined) return;
        const luck = chance.next();
        if (luck < 0.2) throw internalError("half way");
        if (luck < 0.4) throw resourceExpired("The provided continue parameter is too old");
        // A list that never comes to its end.
        if (luck < 0.45) await new Promise<never>(() => {});
      },
    },
  });
  const informer = createSharedInformer<Thing>({
    listerWatcher: server.listerWatcher,
    pageSize: 3,
    queue: seed % 4 === 0 ? "classic" : "in-order",
    runtime: { ...testRuntime(1, { clock }), clock: wall, random: random.fork("informer") },
  });
  const log: string[] = [];
  const view = new Map<string, string>();
  const described = (thing: Thing): string => `${thing.metadata.uid}@${thing.metadata.resourceVersion}`;
  const show = (word: string, thing: Thing): void => {
    log.push(`${clock.monotonic()} ${word} ${thing.metadata.name} ${described(thing)}`);
    if (word !== "delete" && !history.has(described(thing))) throw new Error(`invented ${described(thing)}`);
  };
  const problems: unknown[] = [];
  const known = (thing: Thing, expected: boolean): void => {
    if (view.has(thing.metadata.name ?? "") !== expected) problems.push(`out of order: ${described(thing)}`);
  };
  informer.addHandler({
    onAdd(thing) {
      show("add", thing as Thing);
      known(thing as Thing, false);
      view.set(thing.metadata.name ?? "", described(thing as Thing));
    },
    onUpdate(_old, thing) {
      show("update", thing as Thing);
      known(thing as Thing, true);
      view.set(thing.metadata.name ?? "", described(thing as Thing));
    },
    onDelete(thing) {
      show("delete", thing as Thing);
      view.delete(thing.metadata.name ?? "");
    },
  });

  const mutate = (): void => {
    const name = `thing-${randomInt(12, random)}`;
    if (random.next() < 0.3) server.remove(name);
    else history.add(described(server.put(name, random.next())));
  };
  const each = (act: (watch: (typeof server.watches)[number]) => void): void => [...server.watches].forEach(act);
  const troubles: ((chance: SeededRandom) => void)[] = [
    () => each((watch) => watch.cut(new Error("unexpected end of a frame"))),
    () => each((watch) => watch.end()),
    () => each((watch) => watch.freeze()),
    () => server.compact(),
    () => {
      server.compact();
      each((watch) => watch.send([{ type: "ERROR", error: resourceExpired("too old resource version") }]));
    },
    () => each((watch) => watch.send([{ type: "ERROR", error: internalError("broken") }])),
    (luck) => {
      refusal = errors[randomInt(errors.length, luck)];
      refusals = 1 + randomInt(5, luck);
    },
    (luck) => {
      // Killed: connections break, and for a while nobody answers.
      each((watch) => watch.cut(new Error("connection reset by peer")));
      refusal = () => new Error("connect ECONNREFUSED");
      refusals = 1 + randomInt(8, luck);
      watchList = luck.next() < 0.7;
    },
    (luck) => wall.jump((luck.next() - 0.5) * 86_400_000),
    () => server.bookmark(),
  ];

  for (let i = 0; i < 6; i++) mutate();
  informer.start();
  for (let round = 0; round < 25; round++) {
    for (let i = randomInt(4, random); i > 0; i--) mutate();
    if (chance.next() < 0.6) troubles[randomInt(troubles.length, chance)]?.(chance);
    await clock.advance(randomInt(chance.next() < 0.05 ? 900_000 : 4000, random));
  }
  calm = true;
  refusals = 0;
  mutate();
  const content = (): string =>
    [...server.content()]
      .map(([, thing]) => described(thing))
      .sort()
      .join();
  const cached = (): string =>
    informer.indexer
      .list()
      .map((thing) => described(thing as Thing))
      .sort()
      .join();
  // A dead watch is noticed when its time is over: ten minutes and a margin at most, and a slow list before.
  await clock.advanceUntil(() => cached() === content() && informer.hasSynced, 1_800_000);
  await clock.settle();
  const outcome = { server: content(), cache: cached(), handler: [...view.values()].sort().join(), problems, log };
  const stopping = informer.stop();
  await clock.settle();
  await stopping;
  return { ...outcome, left: server.watches.length };
}

describe("an informer in a storm", () => {
  it("ends up with the server's content, for each of 1,000 seeds", async () => {
    const wrong: number[] = [];
    for (let seed = 0; seed < 1000; seed++) {
      const { server, cache, handler, problems, left } = await storm(seed);
      if (cache !== server || handler !== server || problems.length > 0 || left > 0) wrong.push(seed);
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it("does the same things at the same times when it is repeated", async () => {
    for (const seed of [3, 8, 21]) expect((await storm(seed)).log).toEqual((await storm(seed)).log);
  });
});
