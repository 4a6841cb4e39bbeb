import { createInProcessTransport, type UserInfo } from "@coxswain/apiserver";
import { type Transport, TransportError } from "@coxswain/client/transport";
import {
  type Cluster,
  clusterFeatureGates,
  startCluster as composeCluster,
  createMemoryVolumes,
} from "@coxswain/cluster";
import { createMemoryStore, type MemoryStore } from "@coxswain/storage/memory";
import { loseConnections } from "../faults/lost-connection.js";
import { stepTransport } from "../schedules/step-transport.js";
import type { StartClusterOptions } from "./start-options.js";
import type { ClusterSnapshot } from "./test-cluster.js";
import type { TestWorld } from "./test-world.js";

interface Running {
  readonly store: MemoryStore;
  readonly cluster: Cluster;
}

/** The API server with its components and store, which may be killed and replaced while the world around it goes on. */
export class CurrentServer {
  readonly #options: StartClusterOptions;
  readonly #world: TestWorld;
  readonly #featureGates: ReturnType<typeof clusterFeatureGates>;
  /** Files outlive the processes that use them. */
  readonly #volumes = createMemoryVolumes();
  #running: Running | undefined;
  #isDown = false;
  /** How often the server was killed. */
  #kills = 0;

  constructor(options: StartClusterOptions, world: TestWorld) {
    this.#options = options;
    this.#world = world;
    this.#featureGates = clusterFeatureGates(options.featureGates);
  }

  get store(): MemoryStore {
    return this.#opened().store;
  }

  get cluster(): Cluster {
    return this.#opened().cluster;
  }

  #opened(): Running {
    if (!this.#running) throw new Error("the cluster was not opened");
    return this.#running;
  }

  async open(from?: Pick<ClusterSnapshot, "store" | "server">): Promise<void> {
    const { runtime, faults } = this.#world;
    const store = createMemoryStore({ runtime, ...(from && { initial: from.store }) });
    this.#world.store = store;
    const { apiServer, nodes = 3, nodeSettings } = this.#options;
    const cluster = await composeCluster({
      ...this.#options,
      runtime,
      featureGates: this.#featureGates,
      nodes,
      nodeSettings: { volumes: this.#volumes, ...nodeSettings },
      apiServer: {
        ...apiServer,
        // Seats are held for some real milliseconds after a write; in time that stands still that would be for ever.
        limits: { priorityAndFairness: false, ...apiServer?.limits },
        store,
        initial: from?.server,
        filters: [faults.filter],
      },
      endsWatches: false,
      wrapTransport: (transport) => this.stepping(loseConnections(transport)),
    });
    this.#running = { store, cluster };
  }

  async close(): Promise<void> {
    await this.cluster.stop();
    await this.store.close();
  }

  /** Requests under way get no answer; a new process begins with what is stored. */
  async kill(): Promise<void> {
    this.#kills += 1;
    this.#isDown = true;
    const store = await this.store.snapshot();
    await this.close();
    await this.open({ store });
    this.#isDown = false;
  }

  async snapshot(): Promise<ClusterSnapshot> {
    const [time, server] = [this.#world.runtime.clock.now(), this.cluster.server.snapshot()];
    return { store: await this.store.snapshot(), server, time };
  }

  /** Steps of programs happen in the schedule's order, where there is one. */
  stepping(transport: Transport, program?: string): Transport {
    const { schedule } = this.#world;
    return schedule ? stepTransport(transport, { schedule, program }) : transport;
  }

  /** Goes to whatever server there is now: a client outlives `restore` and kills. */
  transportFor(user: UserInfo): Transport {
    const { clock } = this.#world.runtime;
    const now = (): Transport => {
      if (this.#isDown) throw new TransportError("connect", "connect ECONNREFUSED: the server was killed");
      return loseConnections(createInProcessTransport(this.cluster.server, { user, clock, endsWatches: false }));
    };
    /** What a killed server had under way is not answered. */
    const bySameServer = async <T>(answer: (transport: Transport) => Promise<T>): Promise<T> => {
      const before = this.#kills;
      const answered = await answer(now());
      if (before !== this.#kills) throw new TransportError("lost", "the server was killed before it answered");
      return answered;
    };
    return {
      send: (request) => bySameServer((transport) => transport.send(request)),
      watch: (request) => bySameServer((transport) => transport.watch(request)),
      close: async () => {},
    };
  }
}
