import type { Clock, Timer } from "@coxswain/apimachinery/clock";
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

/** What a container's command does, until it ends by itself or the signal aborts; undefined: it never ends. */
export type Program = (signal: AbortSignal) => Promise<number | undefined>;

export interface ProcessOptions {
  readonly behaviour: Behaviour;
  /** Undefined: it runs for ever. */
  readonly program?: Program;
  readonly clock: Clock;
  /** Called once. */
  onExit(exit: ProcessExit): void;
}

const killed = 137;

export function startProcess({ behaviour, program, clock, onExit }: ProcessOptions): SimulatedProcess {
  const ending = new AbortController();
  const timers: Timer[] = [];
  let isOver = false;
  const exit = (code: number, reason?: string): void => {
    if (isOver) return;
    isOver = true;
    for (const timer of timers) timer.cancel();
    ending.abort();
    onExit({ code, ...(reason !== undefined && { reason }) });
  };
  const after = (ms: number, fire: () => void): void => void timers.push(clock.setTimer(ms, fire));

  const { runForMs, exitCode, exitReason } = behaviour;
  if (runForMs !== undefined || exitCode !== undefined) after(runForMs ?? 0, () => exit(exitCode ?? 0, exitReason));
  else if (program)
    void program(ending.signal).then(
      (code) => code === undefined || exit(code),
      () => exit(1),
    );
  return {
    terminate() {
      if (behaviour.stopDelayMs === undefined) return;
      if (behaviour.stopDelayMs === 0) exit(behaviour.stopExitCode);
      else after(behaviour.stopDelayMs, () => exit(behaviour.stopExitCode));
    },
    kill: () => exit(killed),
  };
}
