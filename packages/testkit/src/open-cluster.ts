import { testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createSeededRandom } from "@coxswain/runtime/random";
import { macrotask } from "@coxswain/runtime/event-loop";
import { createInProcessTransport, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { countRequests, type Transport, TransportError } from "@coxswain/client/transport";
import { administrator, type Cluster, clusterFeatureGates, startCluster as composeCluster } from "@coxswain/cluster";
import { createMemoryStore, type MemoryStore } from "@coxswain/storage/memory";
import { injectFaults } from "./faults/inject-faults.js";
import { loseConnections } from "./faults/lost-connection.js";
import { createPrograms, type Life } from "./programs.js";
import { createSchedule, type Schedule } from "./schedules/schedule.js";
import type { SchedulePlan } from "./schedules/schedule-plan.js";
import { stepTransport } from "./schedules/step-transport.js";
import { type ServedCluster, serveCluster } from "./serve-cluster.js";
import type { StartClusterOptions } from "./start-cluster.js";
import { createStorm } from "./storm/create-storm.js";
import { createTestClock } from "./test-clock.js";
import type { ClusterSnapshot, TestCluster } from "./test-cluster.js";
import { recordWork } from "./timeline/record-work.js";
import { createTimeline } from "./timeline/timeline.js";
import { printFailure, printIfProcessFails } from "./report/report-failure.js";
import { runningTest, testName } from "./report/running-test.js";
import { watchQuiet } from "./watch-quiet.js";
import { whileAlive } from "./while-alive.js";

/** Where a cluster begins. */
export interface Beginning {
  readonly seed: number;
  readonly startMs: number;
  /** @default an empty store */
  readonly initial?: ClusterSnapshot | undefined;
  /** Of the cluster that this one was forked from, which repeats both. @default `seed` */
  readonly rootSeed?: number;
  /** How work is ordered; undefined: as it comes, without a look at it. */
  readonly plan?: SchedulePlan | undefined;
}

export interface OpenedCluster {
  readonly cluster: TestCluster;
  /** There if a plan was given. */
  readonly schedule: Schedule | undefined;
}

export async function openCluster(options: StartClusterOptions, beginning: Beginning): Promise<OpenedCluster> {
  const { seed, startMs, initial, plan } = beginning;
  // An event takes an iteration of the event loop from the store to the watch, and another one to the informer.
  const activity = createActivity({
    yieldToOthers: async () => {
      for (let turn = 0; turn < 3; turn++) await macrotask();
    },
  });
  let newest: MemoryStore | undefined;
  const isQuiet = watchQuiet((after) => newest?.log(after) ?? []);
  const clock = createVirtualClock({ startMs, activity, isQuiet });
  const schedule = plan && createSchedule(plan, { activity, clock });
  if (schedule) activity.pick = (waiting) => schedule.pick(waiting);
  const runtime = testRuntime(seed, { clock, ...(options.log && { log: options.log }) });
  const revision = (): number => newest?.revision ?? 0;
  const works = recordWork({ clock, revision });
  activity.trace = works;
  const faults = injectFaults({
    clock,
    activity,
    random: createSeededRandom(seed + 1),
    onCrash: (user) => programs.crash(user),
  });

  const featureGates = clusterFeatureGates(options.featureGates);
  const stepping = (transport: Transport, program?: string): Transport =>
    schedule ? stepTransport(transport, { schedule, program }) : transport;
  const open = async (from?: Pick<ClusterSnapshot, "store" | "server">): Promise<Open> => {
    const store = createMemoryStore({ clock, ...(from && { initial: from.store }) });
    newest = store;
    const cluster = await composeCluster({
      ...options,
      runtime,
      featureGates,
      nodes: options.nodes ?? 3,
      apiServer: {
        ...options.apiServer,
        // Seats are held for some real milliseconds after a write; in time that stands still that would be for ever.
        limits: { priorityAndFairness: false, ...options.apiServer?.limits },
        store,
        initial: from?.server,
        filters: [faults.filter],
      },
      endsWatches: false,
      wrapTransport: (transport) => stepping(loseConnections(transport)),
    });
    return { store, cluster };
  };
  let current = await open(initial);
  let served: Promise<ServedCluster> | undefined;
  let isDown = false;
  /** Counts how often the server was killed. */
  let servers = 0;

  /** Goes to whatever server there is now: a client outlives `restore`. */
  const transportOf = (user: UserInfo): Transport => {
    const now = (): Transport => {
      if (isDown) throw new TransportError("connect", "connect ECONNREFUSED: the server was killed");
      return loseConnections(createInProcessTransport(current.cluster.server, { user, clock, endsWatches: false }));
    };
    /** What a killed server had under way is not answered. */
    const bySameServer = async <T>(answer: (transport: Transport) => Promise<T>): Promise<T> => {
      const before = servers;
      const answered = await answer(now());
      if (before !== servers) throw new TransportError("lost", "the server was killed before it answered");
      return answered;
    };
    return {
      send: (request) => bySameServer((transport) => transport.send(request)),
      watch: (request) => bySameServer((transport) => transport.watch(request)),
      close: async () => {},
    };
  };
  const clientOf = (user: UserInfo): Client =>
    createClient({
      transport: countRequests(stepping(transportOf(user)), activity),
      runtime,
      onWarning: () => {},
    });
  const clientOfProgram = (user: UserInfo, { isAlive, process, through }: Life): Client => {
    const name = user.name.replace(programPrefix, "");
    const counted = countRequests(whileAlive(stepping(transportOf(user), name), isAlive), activity);
    // Outside of what is counted: a request that a storm or a pause keeps must not keep time from passing.
    return createClient({
      transport: process.transport(whileAlive(through ? through(counted) : counted, isAlive)),
      runtime: { ...runtime, clock: process.clock(clock) },
      userAgent: name,
      onWarning: () => {},
    });
  };
  const programs = createPrograms({
    runtime,
    clientFor: clientOfProgram,
    onLife: ({ name }, is) => schedule?.setEnding(name.replace(programPrefix, ""), is === "ending"),
  });
  const close = async (): Promise<void> => {
    await current.cluster.stop();
    await current.store.close();
  };
  const snapshot = async (): Promise<ClusterSnapshot> => {
    const [time, server] = [clock.now(), current.cluster.server.snapshot()];
    return { store: await current.store.snapshot(), server, time };
  };

  function report(): void {
    const { hasFailed } = runningTest();
    const run = { variables: `COXSWAIN_SEED=${beginning.rootSeed ?? seed}`, timeline: () => self.timeline() };
    if (hasFailed) printFailure(run);
    else if (hasFailed === undefined) printIfProcessFails(run);
  }

  const self: TestCluster = {
    seed,
    client: clientOf(administrator),
    clientFor: (user) => clientOf(user),
    clock: createTestClock(clock),
    settle: () => clock.settle(),
    faults,
    storm: (options) => createStorm({ random: createSeededRandom(`storm ${seed}`), clock, ...options }),
    get nodes() {
      return current.cluster.components.nodes;
    },
    run: (name, start, { user = programUser(name), through } = {}) => programs.run(user, start, through),
    async kubeconfig() {
      served ??= serveCluster(() => current.cluster.server);
      return (await served).kubeconfig;
    },
    async fork() {
      const initial = await snapshot();
      return (
        await openCluster(options, {
          seed: seed + 2,
          rootSeed: beginning.rootSeed ?? seed,
          startMs: initial.time,
          initial,
        })
      ).cluster;
    },
    snapshot,
    log: () => current.store.log(),
    timeline: (options) =>
      createTimeline(
        { log: current.store.log(), works: works.works, afterRevision: readyAt },
        { title: testName(), seed },
        options,
      ),
    async restore(snapshot) {
      const { time } = snapshot;
      if (time > clock.now()) await clock.advance(time - clock.now());
      await close();
      current = await open(snapshot);
      await programs.restartAll();
    },
    async killServer() {
      servers += 1;
      isDown = true;
      const { store } = await snapshot();
      await close();
      current = await open({ store }); // a new process: it begins with what is stored
      isDown = false;
    },
    async stop({ isReported = beginning.plan !== undefined } = {}) {
      if (!isReported) report();
      await programs.stop();
      await (await served)?.stop();
      await close();
    },
  };
  await clock.settle(); // what the first start of controllers brings about is there
  const readyAt = revision();
  return { cluster: self, schedule };
}

interface Open {
  readonly store: MemoryStore;
  readonly cluster: Cluster;
}

/** Of the user names of programs under test. */
export const programPrefix = "program:";

/** An administrator, so that a test needs no roles; pass a user to exercise RBAC. */
const programUser = (name: string): UserInfo => ({
  name: `${programPrefix}${name}`,
  groups: ["system:masters", "system:authenticated"],
});
