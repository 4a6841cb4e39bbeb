import { type FSWatcher, watch } from "node:fs";
import { lstat, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { smallest } from "@coxswain/apimachinery/append";
import type { Runtime } from "@coxswain/runtime";
import type { Timer } from "@coxswain/runtime/clock";

export interface SocketWatcherOptions {
  /** `plugins_registry`; made where it is missing. */
  readonly directory: string;
  readonly runtime: Pick<Runtime, "ioClock" | "log">;
  /** A socket is there, or another one of the same name. @throws Error: it is tried again, later and later */
  onAdded(path: string): Promise<void>;
  onRemoved(path: string): Promise<void>;
}

export interface SocketWatcher {
  stop(): Promise<void>;
}

/** Upstream tries again after half a second, doubling to about two minutes. */
const retryMs = { first: 500, last: 122_000 };
/** Sockets of one node: a directory with more of them is not ours. */
const maxSockets = 1000;

interface KnownSocket {
  /** Device, inode and birth: a driver that starts again makes another socket of the same name. */
  readonly identity: string;
  isRegistered: boolean;
  retryAt: number;
  waitMs: number;
}

/** Follows the sockets of a directory by its events. Upstream's `pkg/kubelet/pluginmanager`. */
export async function watchSockets(options: SocketWatcherOptions): Promise<SocketWatcher> {
  const { directory, runtime, onAdded, onRemoved } = options;
  const { ioClock, log } = runtime;
  await mkdir(directory, { recursive: true, mode: 0o755 });
  const known = new Map<string, KnownSocket>();
  const ending = new AbortController();
  let isDirty = false;
  let looking: Promise<void> | undefined;
  let timer: Timer | undefined;

  async function look(): Promise<void> {
    while (isDirty && !ending.signal.aborted) {
      isDirty = false;
      const found = await socketsIn(directory);
      for (const [path, socket] of known)
        if (found.get(path) !== socket.identity) {
          known.delete(path);
          if (socket.isRegistered) await attempt(path, () => onRemoved(path));
        }
      for (const [path, identity] of found) {
        const socket = known.get(path) ?? { identity, isRegistered: false, retryAt: 0, waitMs: retryMs.first };
        known.set(path, socket);
        if (!socket.isRegistered && ioClock.now() >= socket.retryAt) await register(path, socket);
      }
    }
    looking = undefined;
    const next = smallest([...known.values()].filter((each) => !each.isRegistered).map(({ retryAt }) => retryAt));
    timer?.cancel();
    if (Number.isFinite(next) && !ending.signal.aborted)
      timer = ioClock.setTimer(Math.max(0, next - ioClock.now()), wake);
  }

  async function register(path: string, socket: KnownSocket): Promise<void> {
    socket.isRegistered = await attempt(path, () => onAdded(path));
    if (socket.isRegistered) return;
    socket.retryAt = ioClock.now() + socket.waitMs;
    socket.waitMs = Math.min(socket.waitMs * 2, retryMs.last);
  }

  async function attempt(path: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!ending.signal.aborted) log.warn("a plugin could not be registered", { socket: path, error });
      return false;
    }
  }

  const wake = (): void => {
    isDirty = true;
    looking ??= look();
  };
  const watcher: FSWatcher = watch(directory, { persistent: false }, wake);
  watcher.on("error", (error) => log.warn("the directory of plugins is no longer watched", { directory, error }));
  wake();
  return {
    async stop() {
      ending.abort();
      watcher.close();
      timer?.cancel();
      await looking;
    },
  };
}

/** Links are not followed: what is registered is what is in the directory. */
async function socketsIn(directory: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of (await readdir(directory)).slice(0, maxSockets)) {
    if (name.startsWith(".")) continue;
    const path = join(directory, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSocket()) found.set(path, `${stats.dev}:${stats.ino}:${stats.ctimeMs}`);
  }
  return found;
}
