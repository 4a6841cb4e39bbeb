import { lstat } from "node:fs/promises";
import type { Runtime } from "@coxswain/runtime";
import { rotateLog } from "./rotate-log.js";

export interface LogRotatorOptions {
  /** Bytes at which a log is rotated; negative: never (containerLogMaxSize). */
  readonly maxBytes: number;
  /** Files of one container, its log among them (containerLogMaxFiles). */
  readonly maxFiles: number;
  /** How often logs are looked at (containerLogMonitorInterval). */
  readonly everyMs: number;
  /** Containers that run, with the paths of their logs. */
  running(): Promise<readonly { readonly id: string; readonly path: string }[]>;
  reopen(id: string): Promise<void>;
  readonly runtime: Runtime;
}

/** Rotates the logs of a node's containers as they grow (pkg/kubelet/logs/container_log_manager.go), one after the other. */
export interface LogRotator {
  /** Looks at all of them once. */
  rotate(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export function createLogRotator(options: LogRotatorOptions): LogRotator {
  const { runtime, everyMs, maxBytes, running } = options;
  let turn: Promise<void> = Promise.resolve();
  let timer: { cancel(): void } | undefined;
  let isStopped = false;

  async function rotate(): Promise<void> {
    for (const { id, path } of await running()) {
      if (isStopped) return;
      await rotateOne(options, id, path).catch((error: unknown) =>
        runtime.log.warn("a container's log was not rotated", { id, path, error }),
      );
    }
  }

  function arm(): void {
    if (isStopped || maxBytes < 0) return;
    timer = runtime.clock.setTimer(everyMs, () => {
      turn = rotate()
        .catch((error: unknown) => runtime.log.warn("logs were not rotated", { error }))
        .finally(arm);
    });
  }

  return {
    rotate,
    start: arm,
    async stop() {
      isStopped = true;
      timer?.cancel();
      await turn;
    },
  };
}

async function rotateOne(options: LogRotatorOptions, id: string, path: string): Promise<void> {
  const { maxBytes, maxFiles, runtime, reopen } = options;
  const found = await lstat(path).catch(() => undefined);
  // A log that is gone: the runtime writes into a file without a name.
  if (!found) return reopen(id);
  if (!found.isFile() || found.size < maxBytes) return;
  await rotateLog({ path, maxFiles, now: runtime.clock.now(), reopen: () => reopen(id) });
}
