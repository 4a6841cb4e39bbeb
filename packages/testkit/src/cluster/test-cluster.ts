import type { ServerSnapshot, UserInfo } from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";
import type { RunningComponents } from "@coxswain/cluster";
import type { LogEntry, MemorySnapshot } from "@coxswain/storage/memory";
import type { Faults } from "../faults/inject-faults.js";
import type { Program, RunOptions, StartProgram } from "../programs/programs.js";
import type { Storm, StormOptions } from "../storm/create-storm.js";
import type { TestClock } from "../time/test-clock.js";
import type { TimelineOptions } from "../timeline/build-timeline.js";
import type { Timeline } from "../timeline/timeline.js";
import type { TestGateway, TestGatewayOptions } from "./serve-test-gateway.js";

/** A cluster inside a test: API server, controllers, scheduler and simulated nodes, on a clock that the test moves. */
export interface TestCluster {
  /** An administrator's. */
  readonly client: Client;
  /** For anybody else: requests pass authorization as theirs. */
  clientFor(user: UserInfo): Client;
  readonly clock: TestClock;
  /** Resolves when nothing moves any more: no request, no undelivered event, no work. Time stays. */
  settle(): Promise<void>;
  /** Makes requests fail, wait and get lost. */
  readonly faults: Faults;
  /** Bad weather between programs and the server, drawn from the cluster's seed: `cluster.run(name, start, { through: storm.through })`. */
  storm(options?: Pick<StormOptions, "mostDelayMs">): Storm;
  /**
   * The data of DNS records of a type, as a pod finds them: `cluster.resolve("web.shop")` is the addresses of `web.shop.svc.cluster.local`.
   * Empty: there are none. @default type: A
   */
  resolve(name: string, type?: string): Promise<string[]>;
  /** Kills, partitions and recovers nodes. */
  readonly nodes: RunningComponents["nodes"];
  /**
   * Runs a program under test, such as an operator, with a client of its own: `crash` faults kill it and start it again.
   * It is stopped with the cluster.
   */
  run(name: string, start: StartProgram, options?: RunOptions): Promise<Program>;
  /** For programs in other processes: HTTPS on loopback, as an administrator. Answers the path of a kubeconfig. */
  kubeconfig(): Promise<string>;
  /**
   * The cluster in a browser, on a port of loopback, for a test under a debugger. Answers a link that works once. Time stands still
   * there, too: the page has buttons that let it pass.
   */
  console(): Promise<string>;
  /**
   * The cluster's Ingresses and Gateways, served on ports of loopback from the first call on: what a Service's users outside of the cluster get.
   * It goes on through `restore` and `killServer`; a fork has one of its own.
   */
  gateway(options?: TestGatewayOptions): Promise<TestGateway>;
  /** An independent copy of everything that is stored, with controllers, scheduler and nodes of its own, at the same time. */
  fork(): Promise<TestCluster>;
  /** All that is stored now, to go back to. */
  snapshot(): Promise<ClusterSnapshot>;
  /** Goes back, in place: `client` goes on to work, programs are started again. */
  restore(snapshot: ClusterSnapshot): Promise<void>;
  /**
   * Kills the API server and its components and starts them again on what is stored: requests under way get no answer, watches
   * end, and what is sent meanwhile is refused. Programs go on.
   */
  killServer(): Promise<void>;
  /** Every change of the store since the cluster started, oldest first. */
  log(): readonly LogEntry[];
  /** Who wrote what when, and which reconcile a write woke: `console.log(String(cluster.timeline()))`, or a page. */
  timeline(options?: TimelineOptions): Timeline;
  /** What made this run; the same seed makes the same run. */
  readonly seed: number;
  /**
   * Ends everything and waits for it. In a hook after a test that failed it prints the seed, the command that repeats the run and
   * the path of a timeline; node:test does not show that, so there it is printed when the process ends.
   */
  stop(options?: { /** Somebody else has printed it. @default false */ readonly isReported?: boolean }): Promise<void>;
}

export interface ClusterSnapshot {
  readonly store: MemorySnapshot;
  /** What the API server had in memory. */
  readonly server?: ServerSnapshot;
  /** Milliseconds since 1970. */
  readonly time: number;
}
