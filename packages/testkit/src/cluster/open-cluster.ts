import type { UserInfo } from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";
import { administrator, gatewayUser } from "@coxswain/cluster";
import { createSeededRandom } from "@coxswain/runtime/random";
import type { LogEntry } from "@coxswain/storage/memory";
import {
  createPrograms,
  type Program,
  type Programs,
  type RunOptions,
  type StartProgram,
} from "../programs/programs.js";
import { printFailure, printIfProcessFails } from "../report/report-failure.js";
import { runningTest, testName } from "../report/running-test.js";
import type { Schedule } from "../schedules/schedule.js";
import { createStorm, type Storm, type StormOptions } from "../storm/create-storm.js";
import { createTestClock, type TestClock } from "../time/test-clock.js";
import type { TimelineOptions } from "../timeline/build-timeline.js";
import { createTimeline, type Timeline } from "../timeline/timeline.js";
import { clientOfProgram, clientOfTest, programNameOf, programUser } from "./cluster-clients.js";
import { CurrentServer } from "./current-server.js";
import { type ServedCluster, serveCluster } from "./serve-cluster.js";
import { type ServedConsole, serveTestConsole } from "./serve-console.js";
import {
  type ServedTestGateway,
  serveTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from "./serve-test-gateway.js";
import type { StartClusterOptions } from "./start-options.js";
import type { ClusterSnapshot, TestCluster } from "./test-cluster.js";
import { type Beginning, createTestWorld, type TestWorld } from "./test-world.js";

export interface OpenedCluster {
  readonly cluster: TestCluster;
  /** There if a plan was given. */
  readonly schedule: Schedule | undefined;
}

export async function openCluster(options: StartClusterOptions, beginning: Beginning): Promise<OpenedCluster> {
  const cluster = new OpenCluster(options, beginning);
  await cluster.begin();
  return { cluster, schedule: cluster.schedule };
}

class OpenCluster implements TestCluster {
  readonly #options: StartClusterOptions;
  readonly #beginning: Beginning;
  readonly #world: TestWorld;
  readonly #server: CurrentServer;
  readonly #programs: Programs;
  #served: Promise<ServedCluster> | undefined;
  readonly #consoles: ServedConsole[] = [];
  #gateway: Promise<ServedTestGateway> | undefined;
  /** The revision at which the first start of the controllers was over. */
  #readyAt = 0;
  readonly client: Client;
  readonly clock: TestClock;

  constructor(options: StartClusterOptions, beginning: Beginning) {
    this.#options = options;
    this.#beginning = beginning;
    this.#world = createTestWorld(options, beginning, (user) => this.#programs.crash(user));
    this.#server = new CurrentServer(options, this.#world);
    const { runtime, schedule } = this.#world;
    this.#programs = createPrograms({
      runtime,
      clientFor: (user, life) => clientOfProgram(this.#server, this.#world, user, life),
      onLife: (user, is) => schedule?.setEnding(programNameOf(user), is === "ending"),
    });
    this.client = this.clientFor(administrator);
    this.clock = createTestClock(runtime.clock);
  }

  async begin(): Promise<void> {
    await this.#server.open(this.#beginning.initial);
    await this.settle(); // what the first start of controllers brings about is there
    this.#readyAt = this.#server.store.revision;
  }

  get seed(): number {
    return this.#beginning.seed;
  }

  get schedule(): Schedule | undefined {
    return this.#world.schedule;
  }

  get faults(): TestCluster["faults"] {
    return this.#world.faults;
  }

  get nodes(): TestCluster["nodes"] {
    return this.#server.cluster.components.nodes;
  }

  clientFor(user: UserInfo): Client {
    return clientOfTest(this.#server, this.#world, user);
  }

  settle(): Promise<void> {
    return this.#world.runtime.clock.settle();
  }

  async resolve(name: string, type?: string): Promise<string[]> {
    return this.#server.cluster.resolve(name, type);
  }

  storm(options?: Pick<StormOptions, "mostDelayMs">): Storm {
    const { clock } = this.#world.runtime;
    return createStorm({ random: createSeededRandom(`storm ${this.seed}`), clock, ...options });
  }

  run(name: string, start: StartProgram, { user = programUser(name), through }: RunOptions = {}): Promise<Program> {
    return this.#programs.run(user, start, through);
  }

  async kubeconfig(): Promise<string> {
    this.#served ??= serveCluster(() => this.#server.cluster.server);
    return (await this.#served).kubeconfig;
  }

  async console(): Promise<string> {
    const kubeconfig = await this.kubeconfig();
    const served = await serveTestConsole({ kubeconfig, clock: this.clock, title: testName() });
    this.#consoles.push(served);
    return served.link;
  }

  gateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
    const parts = { client: this.clientFor(gatewayUser), network: () => this.#server.cluster.server.network };
    return (this.#gateway ??= this.#moved(serveTestGateway(this.#world.runtime, parts, options)));
  }

  /** What the work tries again it does in the cluster's time, which nobody else moves meanwhile. */
  async #moved<T>(work: Promise<T>): Promise<T> {
    const { clock } = this.#world.runtime;
    const state = { isDone: false };
    const end = (): void => void (state.isDone = true);
    void work.then(end, end);
    while (!state.isDone) {
      await clock.settle();
      if (!state.isDone) await clock.advance(100);
    }
    return work;
  }

  async fork(): Promise<TestCluster> {
    const { seed, rootSeed = seed } = this.#beginning;
    const initial = await this.snapshot();
    const forked = await openCluster(this.#options, { seed: seed + 2, rootSeed, startMs: initial.time, initial });
    return forked.cluster;
  }

  snapshot(): Promise<ClusterSnapshot> {
    return this.#server.snapshot();
  }

  async restore(snapshot: ClusterSnapshot): Promise<void> {
    const { clock } = this.#world.runtime;
    if (snapshot.time > clock.now()) await clock.advance(snapshot.time - clock.now());
    await this.#server.close();
    await this.#server.open(snapshot);
    await this.#programs.restartAll();
  }

  killServer(): Promise<void> {
    return this.#server.kill();
  }

  log(): readonly LogEntry[] {
    return this.#server.store.log();
  }

  timeline(options?: TimelineOptions): Timeline {
    const { works } = this.#world.works;
    return createTimeline(
      { log: this.log(), works, afterRevision: this.#readyAt },
      { title: testName(), seed: this.seed },
      options,
    );
  }

  async stop({
    isReported = this.#beginning.plan !== undefined,
  }: {
    readonly isReported?: boolean;
  } = {}): Promise<void> {
    if (!isReported) this.#report();
    await this.#programs.stop();
    for (const served of this.#consoles) await served.stop();
    await (await this.#gateway)?.stop();
    await (await this.#served)?.stop();
    await this.#server.close();
  }

  #report(): void {
    const { hasFailed } = runningTest();
    const { seed, rootSeed = seed } = this.#beginning;
    const run = { variables: `COXSWAIN_SEED=${rootSeed}`, timeline: () => this.timeline() };
    if (hasFailed) printFailure(run);
    else if (hasFailed === undefined) printIfProcessFails(run);
  }
}
