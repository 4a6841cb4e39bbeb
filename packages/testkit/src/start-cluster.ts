import { createActivity, createVirtualClock } from "@coxswain/apimachinery/clock";
import { createSeededRandom, systemRandom } from "@coxswain/apimachinery/random";
import { macrotask } from "@coxswain/apimachinery/wait";
import { type ApiServerOptions, createInProcessTransport, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { countRequests, type Transport, TransportError } from "@coxswain/client/transport";
import { administrator, type Cluster, type ClusterOptions, startCluster as composeCluster } from "@coxswain/cluster";
import { createMemoryStore, type MemorySnapshot, type MemoryStore } from "@coxswain/storage/memory";
import { injectFaults } from "./faults/inject-faults.js";
import { loseConnections } from "./faults/lost-connection.js";
import { createPrograms } from "./programs.js";
import { type ServedCluster, serveCluster } from "./serve-cluster.js";
import type { ClusterSnapshot, TestClock, TestCluster } from "./test-cluster.js";
import { spanMs, type TimeSpan } from "./time-span.js";

export interface StartClusterOptions
  extends Pick<
    ClusterOptions,
    "nodes" | "nodeSettings" | "controllers" | "controllerSettings" | "featureGates" | "log"
  > {
  /** Where time begins, in milliseconds since 1970. @default 2026-01-01T00:00:00Z */
  readonly startMs?: number;
  /** Makes names, tokens and faults repeat themselves. @default COXSWAIN_SEED, or a new one for each cluster */
  readonly seed?: number;
  readonly apiServer?: Omit<ApiServerOptions, "store" | "clock" | "random" | "log" | "filters">;
}

interface Beginning {
  readonly seed: number;
  readonly startMs: number;
  readonly initial: MemorySnapshot | undefined;
}

/** Starts a cluster in this process; it takes some hundredths of a second once the code is warm. */
export function startCluster(options: StartClusterOptions = {}): Promise<TestCluster> {
  const seed = options.seed ?? seedFromEnvironment() ?? Math.floor(systemRandom.next() * 2 ** 31);
  return begin(options, { seed, startMs: options.startMs ?? Date.UTC(2026, 0, 1), initial: undefined });
}

function seedFromEnvironment(): number | undefined {
  const text = process.env["COXSWAIN_SEED"];
  if (text === undefined || text === "") return undefined;
  const seed = Number(text);
  if (!Number.isSafeInteger(seed)) throw new Error(`COXSWAIN_SEED must be a whole number, not ${JSON.stringify(text)}`);
  return seed;
}

async function begin(options: StartClusterOptions, { seed, startMs, initial }: Beginning): Promise<TestCluster> {
  // An event takes an iteration of the event loop from the store to the watch, and another one to the informer.
  const activity = createActivity({
    yieldToOthers: async () => {
      for (let turn = 0; turn < 3; turn++) await macrotask();
    },
  });
  const clock = createVirtualClock({ startMs, activity });
  const random = createSeededRandom(seed);
  const faults = injectFaults({ clock, random: createSeededRandom(seed + 1), onCrash: (user) => programs.crash(user) });

  const open = async (from: MemorySnapshot | undefined): Promise<{ store: MemoryStore; cluster: Cluster }> => {
    const store = createMemoryStore({ clock, ...(from && { initial: from }) });
    const cluster = await composeCluster({
      ...options,
      nodes: options.nodes ?? 3,
      apiServer: {
        ...options.apiServer,
        // Seats are held for some real milliseconds after a write; in time that stands still that would be for ever.
        limits: { priorityAndFairness: false, ...options.apiServer?.limits },
        store,
        paceClock: clock,
        filters: [faults.filter],
      },
      clock,
      random,
      activity,
      wrapTransport: loseConnections,
    });
    return { store, cluster };
  };
  let current = await open(initial);
  let served: Promise<ServedCluster> | undefined;

  /** Goes to whatever server there is now: a client outlives `restore`. */
  const transportOf = (user: UserInfo): Transport => {
    const now = (): Transport => loseConnections(createInProcessTransport(current.cluster.server, { user, clock }));
    return countRequests(
      { send: (request) => now().send(request), watch: (request) => now().watch(request), close: async () => {} },
      activity,
    );
  };
  const clientOf = (user: UserInfo, isAlive?: () => boolean): Client =>
    createClient({
      transport: isAlive ? whileAlive(transportOf(user), isAlive) : transportOf(user),
      clock,
      onWarning: () => {},
    });
  const programs = createPrograms({ clock, random, activity, clientFor: clientOf });
  const close = async (): Promise<void> => {
    await current.cluster.stop();
    await current.store.close();
  };
  const snapshot = async (): Promise<ClusterSnapshot> => ({ store: await current.store.snapshot(), time: clock.now() });

  const self: TestCluster = {
    seed,
    client: clientOf(administrator),
    clientFor: (user) => clientOf(user),
    clock: testClock(clock),
    settle: () => clock.settle(),
    faults,
    get nodes() {
      return current.cluster.components.nodes;
    },
    run: (name, start, { user = programUser(name) } = {}) => programs.run(user, start),
    async kubeconfig() {
      served ??= serveCluster(() => current.cluster.server);
      return (await served).kubeconfig;
    },
    async fork() {
      const { store, time } = await snapshot();
      return begin(options, { seed: seed + 2, startMs: time, initial: store });
    },
    snapshot,
    log: () => current.store.log(),
    async restore({ store, time }) {
      if (time > clock.now()) await clock.advance(time - clock.now());
      await close();
      current = await open(store);
      await programs.restartAll();
    },
    async stop() {
      await programs.stop();
      await (await served)?.stop();
      await close();
    },
  };
  await clock.settle(); // what the first start of controllers brings about is there
  return self;
}

/** An administrator, so that a test needs no roles; pass a user to exercise RBAC. */
const programUser = (name: string): UserInfo => ({
  name: `program:${name}`,
  groups: ["system:masters", "system:authenticated"],
});

/** What a killed process sends never arrives, and what it waits for never comes. */
const whileAlive = (transport: Transport, isAlive: () => boolean): Transport => {
  const dead = (): TransportError => new TransportError("lost", "the program was killed (injected fault)");
  const check = (): void => {
    if (!isAlive()) throw dead();
  };
  return {
    async send(request) {
      check();
      const response = await transport.send(request);
      check();
      return response;
    },
    async watch(request) {
      check();
      const stream = await transport.watch(request);
      if (isAlive()) return stream;
      stream.stop();
      throw dead();
    },
    close: () => transport.close(),
  };
};

function testClock(clock: ReturnType<typeof createVirtualClock>): TestClock {
  const toNext = async (): Promise<boolean> => {
    await clock.settle();
    const next = clock.nextTimer;
    if (next === undefined) return false;
    await clock.advance(next - clock.now());
    return true;
  };
  return {
    now: () => clock.now(),
    advance: (by: TimeSpan) => clock.advance(spanMs(by)),
    advanceToNextTimer: toNext,
    async advanceUntil(done, limit = "1h") {
      const end = clock.now() + spanMs(limit);
      for (;;) {
        await clock.settle();
        if (await done()) return true;
        const next = clock.nextTimer;
        if (next === undefined || next > end) return false;
        await clock.advance(next - clock.now());
      }
    },
  };
}
