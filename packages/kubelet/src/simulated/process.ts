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

/** A container without a program, as most are, costs no more than its timers. */
export function startProcess({ behaviour, program, clock, onExit }: ProcessOptions): SimulatedProcess {
  const running = program && new AbortController();
  const ending = program && new AbortController();
  const timers: Timer[] = [];
  let isOver = false;
  const exit = (code: number, reason?: string): void => {
    if (isOver) return;
    isOver = true;
    for (const timer of timers) timer.cancel();
    running?.abort();
    ending?.abort();
    onExit({ code, ...(reason !== undefined && { reason }) });
  };
  const { runForMs, exitCode, exitReason, stopDelayMs, stopExitCode } = behaviour;
  if (runForMs !== undefined || exitCode !== undefined)
    timers.push(clock.setTimer(runForMs ?? 0, () => exit(exitCode ?? 0, exitReason)));
  else if (program && running)
    void program.run(running.signal).then(
      (code) => exit(code),
      // It was ended from outside, or it is a mistake of ours: either way there is nothing that goes on.
      () => running.signal.aborted || exit(1),
    );

  function end(): void {
    if (stopDelayMs === undefined) return;
    if (stopDelayMs === 0) exit(stopExitCode);
    else timers.push(clock.setTimer(stopDelayMs, () => exit(stopExitCode)));
  }

  return {
    terminate() {
      if (stopDelayMs === undefined) return;
      if (!program || !running || !ending) return end();
      running.abort();
      void program.onTerminate(ending.signal).then(
        (code) => (code === undefined ? end() : exit(code)),
        () => ending.signal.aborted || end(),
      );
    },
    kill: () => exit(killed),
  };
}
