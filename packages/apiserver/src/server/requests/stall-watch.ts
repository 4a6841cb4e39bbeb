import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import type { RequestContext } from "../../request/request-context.js";

/** How often the event loop is sampled. */
const everyMs = 500;
/** Shorter ones are the ordinary work of a busy server. */
const minStallMs = 100;
/** From here on the stall is logged with the request that caused it. */
const loggedMs = 1_000;
/** A request that had the thread for so long is remembered until the next sample. */
const sliceMs = 50;
/**
 * A server whose event loop stood still for so long is not alive, and `/livez` fails for a minute, so that its kubelet restarts it. Many
 * short stalls do not count: a machine that is too small for its work is not repaired by a restart.
 */
const deadMs = 30_000;
const recentMs = 60_000;
/** Requests under way that are named when it is not known which one it was. */
const maxSuspects = 3;
/** Of a path, which may be a megabyte long. */
const maxPathCharacters = 200;

const stallText = "the event loop stood still";
const stallBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * Notices when the event loop stands still: one thread does all the work, so for as long as one request computes nobody else is
 * answered. That is a bug of ours whichever client provoked it, and this shows where to look.
 */
export class StallWatch {
  readonly #runtime: Runtime;
  readonly #durations: ReturnType<Metrics["histogram"]>;
  /** The last one that was long enough to count as dead. */
  #dead: { readonly at: number; readonly ms: number } | undefined;
  #underWay: () => Iterable<RequestContext> = () => [];
  #slowest: { readonly context: RequestContext; readonly ms: number } | undefined;
  #timer: Timer;

  /** Milliseconds of processor time at the last sample. */
  #usedMs: number;
  readonly #processorMs: () => number;

  /**
   * @param runtime its `ioClock` measures
   * @param processorMs what the process has used of the processor so far
   */
  constructor(runtime: Runtime, processorMs: () => number = ownProcessorMs) {
    this.#runtime = runtime;
    this.#processorMs = processorMs;
    this.#usedMs = processorMs();
    this.#durations = runtime.metrics.histogram({
      name: "nodejs_eventloop_stall_duration_seconds",
      help: "How long the event loop stood still, where that was 100 ms or more, in seconds.",
      labels: [],
      buckets: stallBuckets,
      stability: "ALPHA",
    });
    this.#timer = this.#next();
  }

  /** Where to look for suspects. */
  watch(underWay: () => Iterable<RequestContext>): void {
    this.#underWay = underWay;
  }

  /** A request had the thread to itself for so long. */
  ran(context: RequestContext, ms: number): void {
    if (ms >= sliceMs && ms > (this.#slowest?.ms ?? 0)) this.#slowest = { context, ms };
  }

  /** Why the server does not count as alive; undefined: it does. */
  problem(): string | undefined {
    if (!this.#dead || this.#runtime.ioClock.monotonic() - this.#dead.at > recentMs) return undefined;
    return `the event loop stood still for ${Math.round(this.#dead.ms / 1000)} s`;
  }

  stop(): void {
    this.#timer.cancel();
  }

  #next(): Timer {
    const { ioClock: clock } = this.#runtime;
    const due = clock.monotonic() + everyMs;
    return clock.setTimer(everyMs, () => {
      const now = clock.monotonic();
      const used = this.#processorMs();
      if (now - due >= minStallMs) this.#stood(now, { ms: now - due, usedMs: used - this.#usedMs });
      this.#usedMs = used;
      this.#slowest = undefined;
      this.#timer = this.#next();
    });
  }

  #stood(at: number, { ms, usedMs }: { readonly ms: number; readonly usedMs: number }): void {
    this.#durations.with().observe(ms / 1000);
    if (ms >= deadMs) this.#dead = { at, ms };
    if (ms < loggedMs) return;
    const slowest = this.#slowest;
    const isKnown = slowest !== undefined && slowest.ms >= ms / 2;
    const suspects = isKnown ? "" : this.#suspects();
    const { log } = this.#runtime;
    // The process did not run: a laptop that slept, or a machine that gave the processor to others. Nobody is to blame, unless it lasts.
    const isOurs = usedMs >= ms / 2 || ms >= deadMs;
    if (!isOurs) log.debug(stallText, { ms: Math.round(ms), processorMs: Math.round(usedMs) });
    else if (isKnown) log.warn(stallText, { ms: Math.round(ms), request: shown(slowest.context) });
    else if (suspects !== "") log.warn(stallText, { ms: Math.round(ms), suspects });
    else log[ms >= deadMs ? "warn" : "debug"](stallText, { ms: Math.round(ms), suspects: "no request was under way" });
  }

  /** The latest first: those before them had let others run. */
  #suspects(): string {
    const requests = [...this.#underWay()].filter(({ info }) => info.verb !== "watch");
    return requests.slice(-maxSuspects).reverse().map(shown).join("; ");
  }
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const shown = ({ request, user, auditId }: RequestContext): string =>
  `${request.method} ${request.path.slice(0, maxPathCharacters)} of ${user.name} (audit-ID ${auditId.slice(0, 64)})`;
