import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { signalProcess } from "../undo/remove-cgroup.js";

export interface SupervisedOptions {
  /** For the log: "containerd of node-1". */
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** Receives what it prints. */
  readonly logFile: string;
  /** Its standard input is a pipe that ends when this process does, however that is, instead of one without content. @default false */
  readonly holdsInput?: boolean;
}

/** A program that is started again when it ends. */
export interface Supervised {
  /** Of the process that runs now; undefined: it waits to be started again. */
  readonly pid: number | undefined;
  /** How often it was started again. */
  readonly restarts: number;
  /** Asks it to end, and kills it after `graceMs`. It is not started again. */
  stop(graceMs: number): Promise<void>;
}

/** Milliseconds before it is started again; doubled while it ends within `steadyMs`. */
const firstDelayMs = 500;
const maxDelayMs = 10_000;
const steadyMs = 10_000;

/** It has a session of its own: the signals of a terminal are this process' to handle. */
export function supervise(
  runtime: Runtime,
  { name, command, env, logFile, holdsInput = false }: SupervisedOptions,
): Supervised {
  const { ioClock: clock, log } = runtime;
  const [program = "", ...args] = command;
  const state = { isStopping: false, restarts: 0, delayMs: firstDelayMs, startedAt: 0 };
  let child: ChildProcess | undefined;
  let timer: Timer | undefined;

  function start(): void {
    const output = openSync(logFile, "a");
    state.startedAt = clock.monotonic();
    const started = spawn(program, args, {
      stdio: [holdsInput ? "pipe" : "ignore", output, output],
      env,
      detached: true,
    });
    closeSync(output);
    child = started;
    started.stdin?.on("error", () => undefined); // a program that ended first is reported by `exit`
    started.once("error", (error) => onEnd(started, error.message));
    started.once("exit", (code, signal) => onEnd(started, signal ?? `exit code ${code}`));
  }

  function onEnd(ended: ChildProcess, how: string): void {
    if (child !== ended) return;
    child = undefined;
    if (state.isStopping) return;
    const isSteady = clock.monotonic() - state.startedAt >= steadyMs;
    state.delayMs = isSteady ? firstDelayMs : Math.min(2 * state.delayMs, maxDelayMs);
    state.restarts++;
    log.warn("a program of a node has ended and is started again", { program: name, how, log: logFile });
    timer = clock.setTimer(state.delayMs, start);
  }

  start();
  return {
    get pid() {
      return child?.pid;
    },
    get restarts() {
      return state.restarts;
    },
    async stop(graceMs) {
      state.isStopping = true;
      timer?.cancel();
      const pid = child?.pid;
      if (pid === undefined) return;
      signalProcess(pid, "SIGTERM");
      const hasEnded = (): boolean => child === undefined;
      if (await pollUntil(hasEnded, { intervalMs: 10, timeoutMs: graceMs, clock })) return;
      signalProcess(pid, "SIGKILL");
      await pollUntil(hasEnded, { intervalMs: 10, timeoutMs: graceMs + 1000, clock });
    },
  };
}
