import { LeadershipLostError } from "@coxswain/client/leader-election";
import type { MetricsRegistry } from "@coxswain/component/metrics";
import type { Runtime } from "@coxswain/runtime";
import type { Controller } from "../controller/index.js";
import type { Handler, HealthCheck } from "../serving/index.js";
import type { Leader } from "./leader.js";
import type { ManagedClusters } from "./managed-clusters.js";
import type { Runnable } from "./manager.js";
import type { ManagerOptions } from "./manager-options.js";
import { startServers } from "./start-servers.js";
import { endsWithin } from "./within.js";

/** What a manager was given before it was started. */
export interface ManagerParts {
  readonly options: ManagerOptions;
  readonly runtime: Runtime;
  readonly metrics: MetricsRegistry;
  readonly leader: Leader;
  readonly clusters: ManagedClusters;
  readonly controllers: readonly Controller[];
  readonly runnables: readonly Runnable[];
  readonly healthChecks: ReadonlyMap<string, HealthCheck>;
  readonly readyChecks: ReadonlyMap<string, HealthCheck>;
  readonly webhookPaths: ReadonlyMap<string, Handler>;
  /** Servers listen, caches have synced, and what needs no leader runs. */
  readonly onStarted: () => void;
  readonly onElected: () => void;
}

/** How a run ends: the first failure ends the rest of the work. */
class Run {
  readonly stop: AbortSignal;
  readonly #failure = new AbortController();
  /** Aborted by `stop` and by the first failure. */
  readonly work: AbortSignal;
  isLeadershipLost = false;

  constructor(stop: AbortSignal) {
    this.stop = stop;
    this.work = AbortSignal.any([stop, this.#failure.signal]);
  }

  readonly fail = (error: unknown): void => {
    this.isLeadershipLost ||= error instanceof LeadershipLostError;
    if (!this.work.aborted) this.#failure.abort(error);
  };

  /** What did not start counts unless the manager was stopped meanwhile. */
  failToStart(error: unknown): void {
    if (!this.stop.aborted) this.#failure.abort(error);
  }

  throwIfFailed(): void {
    if (this.isLeadershipLost) throw new Error("leader election lost", { cause: this.#failure.signal.reason });
    this.#failure.signal.throwIfAborted();
  }
}

/**
 * Servers first, so that probes are answered and conversion webhooks serve before a cache lists what they convert; then caches,
 * then what needs no leader, then the election. Resolves when all has ended.
 */
export async function runManager(parts: ManagerParts, stop: AbortSignal): Promise<void> {
  const { options, runtime, clusters } = parts;
  const run = new Run(stop);
  const servers = await startServers({ ...parts, log: runtime.log });
  let ended: Promise<unknown> = Promise.resolve();
  try {
    await startCaches(clusters, run.work);
    const all = await startWork(parts, run);
    ended = Promise.allSettled(all);
    parts.onStarted();
    await aborted(run.work);
  } catch (error) {
    run.failToStart(error);
  }
  const graceMs = run.isLeadershipLost ? 0 : (options.gracefulShutdownMs ?? 30_000);
  const shutdown = (async () => {
    await ended;
    await clusters.closeAll();
    await servers.stop();
  })();
  const inTime = await endsWithin(shutdown, graceMs, runtime.clock);
  run.throwIfFailed();
  if (!inTime && graceMs > 0)
    throw new Error(`failed waiting for all runnables to end within grace period of ${graceMs / 1000}s`);
}

async function startCaches(clusters: ManagedClusters, work: AbortSignal): Promise<void> {
  for (const { cluster } of clusters.all()) cluster.cache.start();
  await untilAborted(Promise.all(clusters.all().map(({ cluster }) => cluster.cache.whenSynced(work))), work);
}

/** Each rejects where it failed; the first failure ends the others. */
async function startWork(parts: ManagerParts, run: Run): Promise<Promise<void>[]> {
  const { clusters, controllers, leader } = parts;
  const others = runAll(parts, false, run.work);
  await Promise.all(controllers.filter((each) => each.warmUp).map((each) => clusters.engage(each, run.work)));
  const leading = leader.run(run.work, async (signal) => {
    const led = runAll(parts, true, signal);
    parts.onElected();
    // The first that fails ends the others; all are awaited before the lease is given up.
    for (const each of led) each.catch(run.fail);
    await Promise.allSettled(led);
  });
  const all = [...others, leading];
  for (const each of all) each.catch(run.fail);
  return all;
}

/** What runs everywhere, or what runs where the manager leads. */
function runAll(
  { clusters, controllers, runnables }: ManagerParts,
  needsLeader: boolean,
  signal: AbortSignal,
): Promise<void>[] {
  const isMine = (each: { readonly needsLeader?: boolean }): boolean => (each.needsLeader ?? true) === needsLeader;
  const runController = async (controller: Controller): Promise<void> => {
    await clusters.engage(controller, signal);
    await controller.run(signal);
  };
  return [
    ...controllers.filter(isMine).map(runController),
    ...runnables.filter(isMine).map((runnable) => runnable.run(signal)),
  ];
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** What waits when the manager is stopped is not worth an error. */
async function untilAborted(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
