import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { isEmpty } from "../rules/rule-changes.js";
import type { RuleState } from "../rules/rule-state.js";
import { wordsOf } from "../rules/table-settings.js";
import { writeChanges, writeTable } from "../rules/transaction.js";
import type { Nft } from "./run-nft.js";

export interface RuleSyncOptions {
  readonly state: RuleState;
  readonly nft: Nft;
  /** Between the starts of two transactions. */
  readonly minPeriodMs: number;
  /** After a failure, if nothing else asks for a transaction before. */
  readonly retryMs: number;
  /** Everything is written again after this, in case somebody else has changed the table. */
  readonly fullPeriodMs: number;
  /** Brings the state up to date; called before each transaction. */
  prepare(): Promise<void>;
  onApplied(about: { readonly full: boolean; readonly elapsedMs: number }): void;
  onFailed(error: unknown): void;
}

/**
 * Writes what a state wants to the kernel: at most one transaction per period, and the whole table in one transaction at the start
 * and after every failure. When that fails too, the table is deleted and made anew, in one transaction as well.
 */
export class RuleSync {
  readonly #options: RuleSyncOptions;
  readonly #runtime: Runtime;
  #timer: Timer | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  #lastStart = Number.NEGATIVE_INFINITY;
  #lastFull = Number.NEGATIVE_INFINITY;
  #failuresInARow = 0;
  #needsFull = true;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(runtime: Runtime, options: RuleSyncOptions) {
    this.#runtime = runtime;
    this.#options = options;
  }

  /** Something has changed. */
  request(): void {
    this.#schedule(Math.max(0, this.#lastStart + this.#options.minPeriodMs - this.#now()));
  }

  /** Write the whole table next time: its fixed part has changed. */
  requestFull(): void {
    this.#needsFull = true;
    this.request();
  }

  /** Ends after the transaction that is under way. The table stays. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  #now(): number {
    return this.#runtime.clock.monotonic();
  }

  #schedule(inMs: number): void {
    const at = this.#now() + inMs;
    if (this.#stopped || at >= this.#dueAt) return;
    this.#timer?.cancel();
    this.#dueAt = at;
    this.#timer = this.#runtime.clock.setTimer(inMs, () => this.#fire());
  }

  #fire(): void {
    this.#dueAt = Number.POSITIVE_INFINITY;
    if (this.#stopped) return;
    // The one that runs schedules the next, if anything was asked for meanwhile.
    if (this.#running !== undefined) {
      this.#schedule(this.#options.minPeriodMs);
      return;
    }
    this.#running = this.#sync().finally(() => {
      this.#running = undefined;
    });
  }

  async #sync(): Promise<void> {
    const { state, prepare, onApplied, onFailed, retryMs, fullPeriodMs, minPeriodMs } = this.#options;
    const start = this.#now();
    this.#lastStart = start;
    const full = this.#needsFull || start - this.#lastFull >= fullPeriodMs;
    this.#needsFull = false;
    try {
      await prepare();
      if (full) await this.#writeAll();
      else await this.#writeChanges();
      state.applied();
      this.#failuresInARow = 0;
      if (full) this.#lastFull = start;
      onApplied({ full, elapsedMs: this.#now() - start });
      this.#schedule(state.hasLeftovers ? minPeriodMs : fullPeriodMs);
    } catch (error) {
      this.#needsFull = true;
      this.#failuresInARow++;
      onFailed(error);
      this.#schedule(retryMs);
    }
  }

  async #writeChanges(): Promise<void> {
    const { state, nft } = this.#options;
    const changes = state.planChanges();
    if (!isEmpty(changes)) await nft.run(writeChanges(state.settings, changes));
  }

  async #writeAll(): Promise<void> {
    const { state, nft } = this.#options;
    const existing =
      this.#failuresInARow > 1
        ? undefined
        : await nft.list(wordsOf(state.settings.family).table).catch(() => undefined);
    await nft.run(writeTable(state.settings, state.planAll(existing), existing));
  }
}
