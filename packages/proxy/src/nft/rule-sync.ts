import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import type { Nft } from "./run-nft.js";

/** What is to be written. It does not change between a `write…` and its `applied`. */
export interface RuleSource {
  /** The commands for what has changed since the last transaction; "": nothing has. */
  writeChanges(): string;
  /** The commands for everything. `isFresh`: nothing of what is there is kept. */
  writeAll(isFresh: boolean): string | Promise<string>;
  /** The last commands were carried out. */
  applied(): void;
  /** Something is left to delete, though nothing has changed. */
  readonly hasLeftovers: boolean;
}

export interface RuleSyncOptions {
  readonly source: RuleSource;
  readonly nft: Nft;
  /** Between the starts of two transactions. */
  readonly minPeriodMs: number;
  /** After a failure, if nothing else asks for a transaction before. */
  readonly retryMs: number;
  /** Everything is written again after this, in case somebody else has changed the table. */
  readonly fullPeriodMs: number;
  /** Brings the source up to date; called before each transaction. */
  prepare(): Promise<void>;
  onApplied(about: { readonly full: boolean; readonly elapsedMs: number }): void;
  onFailed(error: unknown): void;
}

/**
 * Writes what a source wants to the kernel: at most one transaction per period, and the whole table in one transaction at the start
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
    const { source, nft, prepare, onApplied, onFailed, retryMs, fullPeriodMs, minPeriodMs } = this.#options;
    const start = this.#now();
    this.#lastStart = start;
    const full = this.#needsFull || start - this.#lastFull >= fullPeriodMs;
    this.#needsFull = false;
    try {
      await prepare();
      const commands = full ? await source.writeAll(this.#failuresInARow > 1) : source.writeChanges();
      if (commands !== "") await nft.run(commands);
      source.applied();
      this.#failuresInARow = 0;
      if (full) this.#lastFull = start;
      onApplied({ full, elapsedMs: this.#now() - start });
      this.#schedule(source.hasLeftovers ? minPeriodMs : fullPeriodMs);
    } catch (error) {
      this.#needsFull = true;
      this.#failuresInARow++;
      onFailed(error);
      this.#schedule(retryMs);
    }
  }
}
