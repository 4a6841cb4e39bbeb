import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { Behaviour } from "./behaviour.js";

export interface ProcessExit {
  readonly code: number;
  /** @default "Completed" for zero, else "Error" */
  readonly reason?: string;
}

/** The main process of a simulated container, from its start on. */
export interface SimulatedProcess {
  /** The stop signal. */
  terminate(): void;
  kill(): void;
}

/** What a container's command does. */
export interface Program {
  /** Resolves to the exit code; rejects once the signal has aborted. */
  run(signal: AbortSignal): Promise<number>;
  /** What it does at the stop signal instead of ending at once; undefined: it ends. */
  onTerminate(signal: AbortSignal): Promise<number | undefined>;
}

export interface ProcessOptions {
  readonly behaviour: Behaviour;
  /** Undefined: it runs for ever. */
  readonly program?: Program | undefined;
  readonly clock: Clock;
  /** Called once. */
  onExit(exit: ProcessExit): void;
}

const killed = 137;

/** A container without a program, as most are, costs no more than its timers: one object of a class, where closures took 500 bytes. */
export function startProcess(options: ProcessOptions): SimulatedProcess {
  const process = new RuleProcess(options);
  process.begin();
  return process;
}

class RuleProcess implements SimulatedProcess {
  readonly #options: ProcessOptions;
  /** Of a program. */
  readonly #running: AbortController | undefined;
  readonly #ending: AbortController | undefined;
  #timers: Timer[] | undefined;
  #isOver = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#running = options.program && new AbortController();
    this.#ending = options.program && new AbortController();
  }

  begin(): void {
    const { program } = this.#options;
    const { runForMs, exitCode, exitReason } = this.#options.behaviour;
    if (runForMs !== undefined || exitCode !== undefined)
      this.#after(runForMs ?? 0, () => this.#exit(exitCode ?? 0, exitReason));
    else if (program && this.#running) {
      const { signal } = this.#running;
      void program.run(signal).then(
        (code) => this.#exit(code),
        // It was ended from outside, or it is a mistake of ours: either way there is nothing that goes on.
        () => signal.aborted || this.#exit(1),
      );
    }
  }

  terminate(): void {
    const { program, behaviour } = this.#options;
    if (behaviour.stopDelayMs === undefined) return;
    if (!program || !this.#running || !this.#ending) return this.#end();
    this.#running.abort();
    const { signal } = this.#ending;
    void program.onTerminate(signal).then(
      (code) => (code === undefined ? this.#end() : this.#exit(code)),
      () => signal.aborted || this.#end(),
    );
  }

  kill(): void {
    this.#exit(killed);
  }

  #end(): void {
    const { stopDelayMs, stopExitCode } = this.#options.behaviour;
    if (stopDelayMs === undefined) return;
    if (stopDelayMs === 0) this.#exit(stopExitCode);
    else this.#after(stopDelayMs, () => this.#exit(stopExitCode));
  }

  #after(ms: number, then: () => void): void {
    (this.#timers ??= []).push(this.#options.clock.setTimer(ms, then));
  }

  #exit(code: number, reason?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const timer of this.#timers ?? []) timer.cancel();
    this.#running?.abort();
    this.#ending?.abort();
    this.#options.onExit({ code, ...(reason !== undefined && { reason }) });
  }
}
