import { setMaxListeners } from "node:events";
import { Budget } from "../budget.js";
import type { ProcessorShare } from "../processor-share.js";
import { ShellFailure } from "./shell-failure.js";

/** What the simulated programs of one process of ours have together. */
export interface Machine {
  readonly processor: ProcessorShare;
  /** Of all containers. */
  readonly memory: Budget;
}

/**
 * The processes of one container and what they have together, as a cgroup limits them: memory, and a number of processes; the
 * processor they share with all containers.
 */
export interface Cgroup extends Machine {
  /** Whether a process was killed for want of memory, which container runtimes report of the container. */
  isOutOfMemory: boolean;
  /** How many processes there are. */
  readonly processes: number;
  /** Begins a command and what it starts; it ends with the signal, or with the cgroup. */
  startSession(signal: AbortSignal): Session;
  /** Ends all processes. */
  kill(): void;
}

export interface Session {
  readonly cgroup: Cgroup;
  readonly signal: AbortSignal;
  /** A virtual clock waits for programs that wait for the processor, but not for those that never stop: turns since the last sleep. */
  turns: number;
  /** One more process; returns what ends it. @throws ShellFailure where there are too many */
  fork(): () => void;
}

/** Of one container. Scripts in pod specs use some kilobytes. */
export const containerBytes = 8 * 1024 * 1024;
/** Of one container, as the kubelet's podPidsLimit and the kernel's pids controller have it. */
export const containerProcesses = 256;
/** Of all containers of a process of ours: a part of the heap that Node has by default. */
const machineBytes = 512 * 1024 * 1024;

export const createMachine = (processor: ProcessorShare): Machine => ({
  processor,
  memory: new Budget({ bytes: machineBytes }),
});

export function createCgroup({ processor, memory }: Machine): Cgroup {
  const sessions = new Set<AbortController>();
  let processes = 0;
  const cgroup: Cgroup = {
    processor,
    memory: new Budget({ bytes: containerBytes }, memory),
    isOutOfMemory: false,
    get processes() {
      return processes;
    },
    startSession(signal) {
      const ending = new AbortController();
      // Each process that waits listens.
      setMaxListeners(0, ending.signal);
      const end = (): void => ending.abort(signal.reason);
      let own = 0;
      if (signal.aborted) end();
      return {
        cgroup,
        signal: ending.signal,
        turns: 0,
        fork() {
          if (processes >= containerProcesses)
            throw new ShellFailure("can't fork: Resource temporarily unavailable", 2);
          processes++;
          if (own++ === 0) {
            sessions.add(ending);
            signal.addEventListener("abort", end, { once: true });
          }
          return () => {
            processes--;
            if (--own > 0) return;
            sessions.delete(ending);
            signal.removeEventListener("abort", end);
          };
        },
      };
    },
    kill() {
      for (const session of sessions) session.abort();
    },
  };
  return cgroup;
}
