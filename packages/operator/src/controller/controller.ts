import { withDeadline } from "@coxswain/client/deadline";
import type { QueueMetricsProvider } from "@coxswain/client/queue";
import type { Tracer } from "@coxswain/client/rest";
import { childRuntime, type Runtime } from "@coxswain/runtime";
import { noActivity } from "@coxswain/runtime/activity";
import { randomUuid } from "@coxswain/runtime/random";
import { type Cluster, type ClusterAccess, createClusterAccess } from "../access/index.js";
import { causeText } from "../event/index.js";
import type { ControllerOptions } from "./controller-options.js";
import type { Reconciler } from "./reconcile.js";
import { callSignal, type Finished, settle, settleFailure } from "./reconcile-call.js";
import { createReconcileContext } from "./reconcile-context.js";
import type { ReconcileObserver } from "./reconcile-record.js";
import { createRequestQueue, type QueuedRequest, type RequestQueue } from "./request-queue.js";
import type { Source } from "./source.js";
import { traceReconcile } from "./trace-reconcile.js";

/** What controllers of one manager share. */
export interface ControllerEnvironment {
  readonly runtime: Runtime;
  readonly observer: ReconcileObserver;
  readonly queueMetrics?: QueueMetricsProvider;
  readonly tracer?: Tracer | undefined;
  /** @throws Error when the manager does not have the cluster */
  cluster(name: string): Cluster;
  hasCluster(name: string): boolean;
  /** @throws LeadershipLostError */
  assertLeading(): void;
}

export interface ControllerParts {
  readonly name: string;
  readonly sources: readonly Source[];
  readonly options: ControllerOptions;
  readonly reconcile: Reconciler;
  readonly environment: ControllerEnvironment;
}

/** Watches, a queue and workers. */
export interface Controller {
  readonly name: string;
  readonly needsLeader: boolean;
  readonly warmUp: boolean;
  /** Starts the sources in one cluster and waits until what is there has been queued. */
  engage(cluster: Cluster, signal: AbortSignal): Promise<void>;
  /** Works until the signal aborts; resolves once the calls under way have ended. */
  run(signal: AbortSignal): Promise<void>;
  readonly queue: RequestQueue;
}

/** What a request costs whose work never waits. */
const microsPerRequest = 300;
const reconcilerKind = 4; // SpanKind.CONSUMER

export const createController = (options: ControllerParts): Controller => new ReconcilingController(options);

class ReconcilingController implements Controller {
  readonly name: string;
  readonly queue: RequestQueue;
  readonly needsLeader: boolean;
  readonly warmUp: boolean;
  readonly #parts: ControllerParts;
  readonly #runtime: Runtime;
  readonly #accesses = new Map<Cluster, ClusterAccess>();

  constructor(parts: ControllerParts) {
    const { name, options, environment } = parts;
    this.name = name;
    this.needsLeader = options.needsLeader ?? true;
    this.warmUp = options.warmUp ?? false;
    this.#parts = parts;
    this.#runtime = childRuntime(environment.runtime, { controller: name });
    this.queue = createRequestQueue({
      name,
      rateLimiter: options.rateLimiter,
      // Requests count themselves. A call that waits for the clock, as a client does before it sends a request again, must not stop it.
      runtime: { ...this.#runtime, activity: noActivity },
      ...(environment.queueMetrics && { metrics: environment.queueMetrics }),
    });
  }

  async engage(cluster: Cluster, signal: AbortSignal): Promise<void> {
    const { sources, options } = this.#parts;
    const mine = sources.filter((source) => source.clusters(cluster.name));
    await Promise.all(
      mine.map(async (source) => {
        this.#runtime.log.info("Starting EventSource", {
          source: source.description,
          ...(cluster.name && { cluster: cluster.name }),
        });
        const what = `failed to wait for ${this.name} caches to sync ${source.description}`;
        await withDeadline(() => source.start(cluster, this.queue, signal), {
          what,
          ms: options.cacheSyncTimeoutMs ?? 120_000,
          clock: this.#runtime.clock,
          signal,
        });
      }),
    );
  }

  async run(signal: AbortSignal): Promise<void> {
    const { concurrency = 1 } = this.#parts.options;
    this.#runtime.log.info("Starting workers", { "worker count": concurrency });
    this.#parts.environment.observer.controllerStarted?.(this.name, concurrency);
    const end = (): void => this.queue.shutDown();
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    await Promise.all(Array.from({ length: concurrency }, () => this.#work(signal)));
    signal.removeEventListener("abort", end);
    this.#runtime.log.info("All workers finished");
  }

  /** Access without a deadline, the same for all calls. */
  #accessTo(cluster: Cluster, signal: AbortSignal): ClusterAccess {
    const known = this.#accesses.get(cluster);
    if (known !== undefined) return known;
    const made = createClusterAccess(cluster, {
      component: this.name,
      fieldManager: this.#parts.options.fieldManager,
      signal,
    });
    this.#accesses.set(cluster, made);
    return made;
  }

  async #call(queued: QueuedRequest, outer: AbortSignal): Promise<void> {
    const { request } = queued;
    const { name } = this;
    const { environment, options, reconcile } = this.#parts;
    const { observer, tracer } = environment;
    const { clock, random, log } = this.#runtime;
    if (!environment.hasCluster(request.cluster)) {
      // It was removed while the request waited.
      queued.forget();
      queued.done();
      return;
    }
    const startedAt = clock.monotonic();
    const reconcileId = randomUuid(random);
    const deadline = callSignal(outer, options.reconcileTimeoutMs, clock);
    const { signal } = deadline;
    const access = (cluster: string) => this.#accessTo(environment.cluster(cluster), outer);
    const context = createReconcileContext({
      controller: name,
      request,
      reconcileId,
      runtime: this.#runtime,
      signal,
      access,
    });
    observer.active?.(name, 1);
    let finished: Finished;
    try {
      environment.assertLeading();
      if (log.enabled("trace")) context.log.trace("Reconciling", { causes: request.causes.map(causeText) });
      const result = tracer
        ? await traceReconcile({ tracer, kind: reconcilerKind, controller: name, request, reconcileId }, () =>
            reconcile(request, context),
          )
        : await reconcile(request, context);
      finished = settle(queued, result ?? undefined);
    } catch (error) {
      finished = settleFailure(queued, error, context.log);
    } finally {
      deadline.end();
      queued.done();
      observer.active?.(name, -1);
    }
    const durationMs = clock.monotonic() - startedAt;
    const { timedOut } = deadline;
    observer.reconciled?.({ controller: name, reconcileId, request, startedAt, durationMs, timedOut, ...finished });
  }

  async #work(signal: AbortSignal): Promise<void> {
    for (;;) {
      const queued = signal.aborted ? undefined : await this.queue.next();
      if (queued === undefined) return;
      // A stopped controller leaves what waits to its successor.
      if (signal.aborted) {
        queued.done();
        return;
      }
      await this.#call(queued, signal);
      const pause = this.#runtime.scheduler.yield(microsPerRequest);
      if (pause) await pause;
    }
  }
}
