import { type Runtime, systemRuntime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { jittered } from "@coxswain/runtime/random";
import { slept } from "@coxswain/runtime/wait";
import { withDeadline } from "../deadline/index.js";
import { claim, type ElectionRecord, release } from "./election-record.js";
import type { ResourceLock } from "./resource-lock.js";

/** The lock was not renewed in time, or another client took it. */
export class LeadershipLostError extends Error {
  constructor(lock: string) {
    super(`leadership of ${lock} was lost`);
    this.name = "LeadershipLostError";
  }
}

/** What a leader may rely on. */
export interface Leadership {
  /** Aborts when leading ends: by the renew deadline, by another holder, or because the elector is stopped. */
  readonly signal: AbortSignal;
  /**
   * Whether this process leads at this moment, by its own clock. A process that was paused may not have noticed the abort yet:
   * ask right before an act that two leaders must not do. @throws LeadershipLostError
   */
  assertLeading(): void;
  /** Grows with every change of leader: a fencing token for systems that can compare it. */
  readonly term: number;
}

export interface LeaderElectorOptions {
  lock: ResourceLock;
  /** How long others wait after the last renewal they saw. @default 15,000 */
  leaseDurationMs?: number;
  /** How long after its last renewal a leader still leads. @default 10,000 */
  renewDeadlineMs?: number;
  /** Between two tries. @default 2,000 */
  retryPeriodMs?: number;
  /**
   * The work of the leader. It ends soon after `leadership.signal` aborts; the lock is kept until it has. If it throws, leading
   * ends and `run` rejects.
   */
  lead: (leadership: Leadership) => void | Promise<void>;
  /** Another leader was seen, this process included. */
  onNewLeader?: (identity: string) => void;
  /** Gives the lock up when stopped, so that another takes over at once. @default true: it is held until `lead` has ended */
  releaseOnStop?: boolean;
  /** Failed tries. */
  onError?: (error: unknown) => void;
  /** @default systemRuntime() */
  runtime?: Runtime;
}

export interface LeaderElector {
  /**
   * Waits to become the leader, leads, and resolves when leading has ended: after the signal, or with a LeadershipLostError.
   * To stand again, run a new elector.
   */
  run(signal: AbortSignal): Promise<void>;
  /** By this process's own clock, also right after it was paused. */
  readonly isLeader: boolean;
  /** The last holder seen; "" before the first and after a release. */
  readonly leader: string;
  /**
   * For a health check: an error when this process should have stopped leading more than `toleratedMs` ago and has not, as
   * a blocked event loop does.
   */
  check(toleratedMs: number): Error | undefined;
}

/** Followers try at different times: each wait is up to this share longer. */
const jitter = 1.2;

/**
 * Elects one leader by a lock in the API.
 *
 * *Guarantees*: two electors with the same lock and options are never `isLeader` at the same time. Only intervals of the local
 * monotonic clock are compared, counted for the leader from before it sent its last successful renewal and for the others
 * from after they saw it: pauses, slow answers and wrong wall clocks do no harm.
 * *Assumptions*: the clocks' rates differ by less than leaseDuration / renewDeadline (1.5 by default); identities differ; the
 * server's writes are compare-and-set; the monotonic clock goes on while a process is paused (it may not when the whole
 * machine is suspended).
 * *Caveats*: an act that began before a pause may end after it. Use `assertLeading` right before it, or `term` as a fencing
 * token.
 */
export const createLeaderElector = (options: LeaderElectorOptions): LeaderElector =>
  new LeaseElector(settingsOf(options));

/** The options with all defaults. @throws Error where they do not fit together */
function settingsOf(options: LeaderElectorOptions) {
  const { lock, lead, onNewLeader = () => {}, onError = () => {}, releaseOnStop = true } = options;
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2000 } = options;
  const { clock, random } = options.runtime ?? systemRuntime();
  const durations = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
  checkOptions({ ...durations, identity: lock.identity });
  return { ...durations, lock, lead, onNewLeader, onError, releaseOnStop, clock, random };
}

class LeaseElector implements LeaderElector {
  readonly #settings: ReturnType<typeof settingsOf>;
  /** What was read or written last, and when it was first seen. */
  #observed: { record: ElectionRecord; version: string | undefined; at: number } | undefined;
  #reported = "";
  #leading = false;
  /** When the last successful renewal was sent. */
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: ReturnType<typeof settingsOf>) {
    this.#settings = settings;
  }

  get isLeader(): boolean {
    const { clock, renewDeadlineMs } = this.#settings;
    return this.#leading && clock.monotonic() - this.#renewedAt < renewDeadlineMs;
  }

  get leader(): string {
    return this.#observed?.record.holderIdentity ?? "";
  }

  check(toleratedMs: number): Error | undefined {
    const { clock, leaseDurationMs, lock } = this.#settings;
    if (!this.#leading || clock.monotonic() - this.#renewedAt <= leaseDurationMs + toleratedMs) return undefined;
    return new Error(`failed election to renew leadership on lease ${lock.description}`);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!(await this.#acquire(signal))) return;
    this.#leading = true;
    await this.#leadUntil(signal);
  }

  #observe(record: ElectionRecord, version: string | undefined): void {
    this.#observed = { record, version, at: this.#settings.clock.monotonic() };
    if (record.holderIdentity === this.#reported) return;
    this.#reported = record.holderIdentity;
    this.#settings.onNewLeader(this.#reported);
  }

  /** Another client holds the lock, and its time is not over. */
  #isHeldByOther(): boolean {
    if (this.#observed === undefined) return false;
    const { record, at } = this.#observed;
    const valid = this.#settings.clock.monotonic() - at < record.leaseDurationSeconds * 1000;
    return record.holderIdentity !== "" && record.holderIdentity !== this.#settings.lock.identity && valid;
  }

  /** One try to take or keep the lock; true when it is ours. */
  async #tryHold(signal: AbortSignal): Promise<boolean> {
    const { clock, lock, leaseDurationMs, onError } = this.#settings;
    const began = clock.monotonic();
    const facts = { identity: lock.identity, leaseDurationMs, now: clock.now() };
    const won = (record: ElectionRecord): boolean => {
      this.#renewedAt = began;
      this.#observe(record, undefined);
      return true;
    };
    // A leader whose write still compares needs no read.
    if (this.#leading && this.#observed !== undefined) {
      const record = claim(this.#observed.record, facts);
      try {
        await lock.update(record, signal);
        return won(record);
      } catch (error) {
        if (signal.aborted) throw error;
        onError(error);
      }
    }
    const state = await lock.get(signal);
    if (state === undefined) {
      const record = claim(undefined, facts);
      await lock.create(record, signal);
      return won(record);
    }
    if (this.#observed?.version !== state.version) this.#observe(state.record, state.version);
    if (this.#isHeldByOther()) return false;
    const record = claim(state.record, facts);
    await lock.update(record, signal);
    return won(record);
  }

  /** A try that ends in time; a failed one is false. */
  async #attempt(ms: number, signal: AbortSignal): Promise<boolean> {
    try {
      return await withDeadline((ending) => this.#tryHold(ending), {
        what: `the lock ${this.#settings.lock.description}`,
        ms,
        clock: this.#settings.clock,
        signal,
      });
    } catch (error) {
      if (!signal.aborted) this.#settings.onError(error);
      return false;
    }
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    const { clock, random, renewDeadlineMs, retryPeriodMs } = this.#settings;
    while (!signal.aborted) {
      if (await this.#attempt(renewDeadlineMs, signal)) return true;
      if (!(await slept(jittered(retryPeriodMs, jitter, random), { clock, signal }))) return false;
    }
    return false;
  }

  /** Renews until `ended` aborts or the deadline has passed. */
  async #renew(ended: AbortSignal): Promise<void> {
    const { clock, lock, renewDeadlineMs, retryPeriodMs } = this.#settings;
    while (await slept(retryPeriodMs, { clock, signal: ended })) {
      const left = this.#renewedAt + renewDeadlineMs - clock.monotonic();
      if (left <= 0) return;
      await this.#attempt(left, ended);
      // Somebody else holds it: our time was over without our knowing, or the lock was taken by force.
      if (this.#observed?.record.holderIdentity !== lock.identity) return;
    }
  }

  async #giveUp(): Promise<void> {
    const { clock, lock, onError, renewDeadlineMs } = this.#settings;
    if (this.#observed?.record.holderIdentity !== lock.identity) return;
    const record = release(this.#observed.record, clock.now());
    const signal = new AbortController().signal;
    try {
      await withDeadline((ending) => lock.update(record, ending), {
        what: `releasing the lock ${lock.description}`,
        ms: renewDeadlineMs,
        clock,
        signal,
      });
      this.#observe(record, undefined);
    } catch (error) {
      // It expires by itself.
      onError(error);
    }
  }

  /** Leads until `signal` aborts, the work has ended or the lock was lost. @throws LeadershipLostError */
  async #leadUntil(signal: AbortSignal): Promise<void> {
    const { clock, lock, lead, releaseOnStop, renewDeadlineMs } = this.#settings;
    const work = new AbortController();
    const renewing = new AbortController();
    const lost = new LeadershipLostError(lock.description);
    const stop = (): void => work.abort(signal.reason);
    let deadline: Timer | undefined;
    /** Ends leading on time even while a renewal is under way; renewals since then move it. */
    const guard = (): void => {
      const left = this.#renewedAt + renewDeadlineMs - clock.monotonic();
      // Whole milliseconds: a timer that fires a fraction too early would be set for no time at all, again and again.
      if (left > 0) deadline = clock.setTimer(Math.ceil(left), guard);
      else work.abort(lost);
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    guard();
    const renewals = this.#renew(renewing.signal).then(() => {
      if (!renewing.signal.aborted) work.abort(lost);
    });
    try {
      const assertLeading = (): void => {
        if (!this.isLeader || work.signal.aborted) throw lost;
      };
      await lead({
        signal: work.signal,
        assertLeading,
        term: this.#observed?.record.leaderTransitions ?? 0,
      });
      // A leader without work of its own leads until it is stopped.
      if (!work.signal.aborted)
        await new Promise((resolve) => work.signal.addEventListener("abort", resolve, { once: true }));
    } finally {
      const held = this.isLeader && work.signal.reason !== lost;
      work.abort(signal.reason);
      renewing.abort();
      await renewals;
      this.#leading = false;
      deadline?.cancel();
      signal.removeEventListener("abort", stop);
      if (held && releaseOnStop) await this.#giveUp();
    }
    if (work.signal.reason === lost) throw lost;
  }
}

function checkOptions(options: {
  leaseDurationMs: number;
  renewDeadlineMs: number;
  retryPeriodMs: number;
  identity: string;
}): void {
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs, identity } = options;
  if (identity === "") throw new Error("a lock needs an identity");
  if (retryPeriodMs <= 0) throw new Error("retryPeriodMs must be greater than zero");
  if (renewDeadlineMs <= retryPeriodMs * jitter)
    throw new Error(`renewDeadlineMs must be greater than ${jitter} times retryPeriodMs`);
  if (leaseDurationMs <= renewDeadlineMs) throw new Error("leaseDurationMs must be greater than renewDeadlineMs");
  if (leaseDurationMs < 1000) throw new Error("leaseDurationMs must be at least a second: leases count in seconds");
}
