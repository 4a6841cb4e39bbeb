import type {
  FlowSchema,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from "@coxswain/api/flowcontrol/v1";
import type { Clock, Timer } from "@coxswain/runtime/clock";
import { byPrecedence, type ClassifiedFlow, Classifier, type UsedSchema } from "./classifier.js";
import { FlowTally } from "./flow-tally.js";
import { adjustLimits, maxSeatsPerRequest, nominalLimits } from "./level-limits.js";
import type { RequestDigest } from "./match-flow-schema.js";
import { PriorityLevel, queueConfigOf } from "./priority-level.js";
import { QueueSet } from "./queue-set.js";

/** How often levels lend and borrow seats anew while requests come (upstream's borrowing adjustment period). */
export const adjustEveryMs = 10_000;

export interface PriorityLevelsOptions {
  readonly clock: Clock;
  /** The seats of the whole server. */
  readonly serverSeats: number;
  /** In use while their objects are missing: no request is ever without a schema and a level. */
  readonly mandatory: {
    readonly levels: readonly PriorityLevelConfiguration[];
    readonly schemas: readonly FlowSchema[];
  };
  /** A level is used for the first time. */
  readonly onLevel?: (level: PriorityLevel) => void;
  /** A schema is used at a level for the first time. */
  readonly onTally?: (tally: FlowTally) => void;
}

/** All priority levels of a server, and which requests belong to them. */
export class PriorityLevels {
  readonly #options: PriorityLevelsOptions;
  readonly #levels = new Map<string, PriorityLevel>();
  readonly #tallies = new Map<string, FlowTally>();
  #classifier: Classifier | undefined;
  #timer: Timer | undefined;
  #adjustedMs: number;
  fairShare = 0;

  constructor(options: PriorityLevelsOptions) {
    this.#options = options;
    this.#adjustedMs = options.clock.monotonic();
    this.configure([], []);
  }

  get levels(): ReadonlyMap<string, PriorityLevel> {
    return this.#levels;
  }

  get tallies(): Iterable<FlowTally> {
    return this.#tallies.values();
  }

  /** These are the objects from now on. Requests that have begun, or wait, keep their place. */
  configure(levels: readonly PriorityLevelConfiguration[], schemas: readonly FlowSchema[]): void {
    const wanted = new Map(
      [...this.#options.mandatory.levels, ...levels].flatMap((level) =>
        level.spec ? [[level.metadata?.name ?? "", level] as const] : [],
      ),
    );
    for (const [name, level] of this.#levels) {
      level.isQuiescing = !wanted.has(name);
      if (level.isQuiescing && level.queueSet.isIdle) this.#levels.delete(name);
    }
    for (const [name, { spec, metadata }] of wanted) {
      if (!spec) continue;
      const level = this.#levels.get(name) ?? this.#create(name, spec);
      level.spec = spec;
      level.uid = metadata?.uid ?? "";
      this.#levels.set(name, level);
    }
    const limits = nominalLimits(
      new Map([...this.#levels].map(([name, { spec }]) => [name, spec])),
      this.#options.serverSeats,
    );
    for (const [name, level] of this.#levels) {
      level.limits = limits.get(name) ?? level.limits;
      level.maxSeatsPerRequest = maxSeatsPerRequest(level.spec, level.limits);
    }
    this.#classifier = new Classifier(this.#usable(schemas, wanted));
    this.#adjust();
  }

  #create(name: string, spec: PriorityLevelConfigurationSpec): PriorityLevel {
    const { clock, onLevel } = this.#options;
    const level = new PriorityLevel(
      name,
      spec,
      new QueueSet({ clock, config: queueConfigOf(spec), concurrencyLimit: 0 }),
    );
    onLevel?.(level);
    return level;
  }

  /** The flow of a request that is about to begin. */
  flowOf(digest: RequestDigest): ClassifiedFlow {
    if (!this.#timer) this.#wake();
    return (this.#classifier as Classifier).flowOf(digest);
  }

  /** A level has nothing more to do. True: it was only kept for that. */
  retire(level: PriorityLevel): boolean {
    return level.isQuiescing && level.queueSet.isIdle && this.#levels.delete(level.name);
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #usable(schemas: readonly FlowSchema[], wanted: ReadonlyMap<string, unknown>): UsedSchema[] {
    const given = schemas.filter(({ spec }) => spec !== undefined && wanted.has(spec.priorityLevelConfiguration.name));
    const names = new Set(given.map(({ metadata }) => metadata?.name));
    const imagined = this.#options.mandatory.schemas.filter(({ metadata }) => !names.has(metadata?.name));
    return [...given, ...imagined].sort(byPrecedence).flatMap((schema) => this.#use(schema));
  }

  #use({ metadata, spec }: FlowSchema): UsedSchema[] {
    const level = spec && this.#levels.get(spec.priorityLevelConfiguration.name);
    if (!spec || !level) return [];
    const name = metadata?.name ?? "";
    return [
      {
        name,
        spec,
        level,
        tally: this.#tallyOf(level.name, name),
        headers: {
          "x-kubernetes-pf-flowschema-uid": metadata?.uid ?? "",
          "x-kubernetes-pf-prioritylevel-uid": level.uid,
        },
      },
    ];
  }

  #tallyOf(level: string, schema: string): FlowTally {
    const key = `${level}/${schema}`;
    let tally = this.#tallies.get(key);
    if (!tally) {
      this.#tallies.set(key, (tally = new FlowTally(level, schema)));
      this.#options.onTally?.(tally);
    }
    return tally;
  }

  /** The first request after a quiet time: the periods that nobody measured had no demand. */
  #wake(): void {
    const now = this.#options.clock.monotonic();
    const missed = Math.floor((now - this.#adjustedMs) / adjustEveryMs);
    if (missed > 0) {
      for (const { queueSet } of this.#levels.values()) queueSet.demand.skip(missed, now);
      this.#adjust();
    }
    this.#timer = this.#options.clock.setTimer(adjustEveryMs, this.#period);
  }

  /** Goes on as long as anybody wants seats. */
  readonly #period = (): void => {
    this.#adjust();
    const isBusy = [...this.#levels.values()].some(
      ({ queueSet }) => queueSet.demand.highWatermark > 0 || !queueSet.isIdle,
    );
    this.#timer = isBusy ? this.#options.clock.setTimer(adjustEveryMs, this.#period) : undefined;
  };

  #adjust(): void {
    const now = this.#options.clock.monotonic();
    this.#adjustedMs = now;
    const levels = [...this.#levels.values()];
    for (const { queueSet } of levels) queueSet.demand.close(now);
    const { current, targets, fairShare } = adjustLimits(
      levels.map(({ isExempt, limits, current: has, queueSet: { demand } }) => ({
        isExempt,
        limits,
        current: has,
        highWatermark: demand.highWatermark,
        smoothed: demand.smoothed,
      })),
    );
    this.fairShare = fairShare;
    for (const [at, level] of levels.entries()) {
      level.current = current[at] ?? 0;
      level.target = targets[at] ?? 0;
      level.queueSet.configure(queueConfigOf(level.spec), level.current);
    }
  }
}
