import type { FlowSchema, PriorityLevelConfiguration } from "@coxswain/api/flowcontrol/v1";
import type { FeatureGates } from "@coxswain/component/feature-gates";
import type { Runtime } from "@coxswain/runtime";
import type { Clock } from "@coxswain/runtime/clock";
import type { CacheFeed } from "../cache/cache-feed.js";
import { createLister } from "../cache/lister.js";
import { collectionPrefix } from "../cache/object-key.js";
import type { WatchCache } from "../cache/watch-cache.js";
import { storedKind } from "../catalogue/stored-kind.js";
import type { Watermark } from "../metrics/watermark.js";
import type { RequestContext } from "../request/request-context.js";
import type { ClassifiedFlow } from "./classifier.js";
import { estimateWork, type WorkFacts } from "./estimate-work.js";
import type { WorkEstimate } from "./fair-request.js";
import { addFlowMetrics } from "./flow-metrics.js";
import type { FlowTally } from "./flow-tally.js";
import type { FlowTimes } from "./flow-times.js";
import { createObjectStats } from "./object-stats.js";
import { PriorityLevels, type PriorityLevelsOptions } from "./priority-levels.js";
import { WatchCounts } from "./watch-counts.js";

export interface FlowControlOptions {
  /** The seats of the whole server. */
  readonly serverSeats: number;
  /** The time that requests have; a quarter of it they may wait. */
  readonly requestTimeoutMs: number;
  readonly mandatory: PriorityLevelsOptions["mandatory"];
}

export interface FlowControlDeps {
  readonly feed: CacheFeed;
  readonly runtime: Runtime;
  readonly gates: FeatureGates;
}

/** Priority and fairness of one server: its configuration is what the watch cache holds at the moment. */
export class FlowControl {
  readonly clock: Clock;
  readonly requestTimeoutMs: number;
  readonly watches = new WatchCounts();
  readonly priorities: PriorityLevels;
  readonly waiting: { readonly readOnly: Watermark; readonly mutating: Watermark };
  readonly #levels: WatchCache;
  readonly #schemas: WatchCache;
  readonly #facts: WorkFacts;
  readonly #times: ReturnType<typeof addFlowMetrics>;
  /** Whose work is being estimated. */
  #estimating: FlowTally | undefined;
  #levelsSeen: object | undefined;
  #schemasSeen: object | undefined;

  constructor(
    { serverSeats, requestTimeoutMs, mandatory }: FlowControlOptions,
    { feed, runtime, gates }: FlowControlDeps,
  ) {
    const { clock, metrics } = runtime;
    this.clock = clock;
    this.requestTimeoutMs = requestTimeoutMs;
    this.#levels = feed.cacheOf(storedKind("flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations"));
    this.#schemas = feed.cacheOf(storedKind("flowcontrol.apiserver.k8s.io", "flowschemas"));
    this.#times = addFlowMetrics(metrics, clock, () => this.priorities);
    this.waiting = this.#times.waiting;
    this.priorities = new PriorityLevels({
      clock,
      serverSeats,
      mandatory,
      onLevel: (level) => this.#times.followLevel(level),
      onTally: (tally) => this.#times.follow(tally),
    });
    this.#facts = {
      watches: this.watches,
      statsOf: createObjectStats(feed),
      listsBySize: gates.enabled("SizeBasedListCostEstimate"),
      watchesAsLists: gates.enabled("WatchList"),
      onWatchCount: (count) => void (this.#estimating && this.#times.of(this.#estimating).concerned(count)),
    };
  }

  flowOf(context: RequestContext): ClassifiedFlow {
    if (this.#levels.snapshot() !== this.#levelsSeen || this.#schemas.snapshot() !== this.#schemasSeen) this.refresh();
    return this.priorities.flowOf(context);
  }

  workOf(context: RequestContext, { level, tally }: ClassifiedFlow): WorkEstimate {
    this.#estimating = tally;
    return estimateWork(context, level.maxSeatsPerRequest, this.#facts);
  }

  timesOf(flow: ClassifiedFlow): FlowTimes {
    return this.#times.of(flow.tally);
  }

  /** Takes the objects as they are now. */
  refresh(): void {
    this.#levelsSeen = this.#levels.snapshot();
    this.#schemasSeen = this.#schemas.snapshot();
    this.priorities.configure(all<PriorityLevelConfiguration>(this.#levels), all<FlowSchema>(this.#schemas));
  }

  stop(): void {
    this.priorities.stop();
  }
}

const all = <T>(cache: WatchCache): T[] => [
  ...createLister<T>(cache, "last known").list(collectionPrefix(cache.kind, "")),
];
