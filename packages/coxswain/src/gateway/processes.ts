import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import type { Runtime } from "@coxswain/runtime";
import { slept } from "@coxswain/runtime/wait";

/** Milliseconds until a process that ended by itself has a successor: one that cannot start would take a core otherwise. */
const restartMs = 1000;
const stopWord = "stop";
/** In the environment of each process: its place among them. */
const placeVariable = "COXSWAIN_GATEWAY_PLACE";

/** Whether this is one of several processes that serve the same ports, and which; undefined: it is the only one, or the one that starts them. */
export const placeAmongProcesses = (): number | undefined =>
  cluster.isWorker ? Number(process.env[placeVariable] ?? 0) : undefined;

/** Resolves when the process that started this one wants it to end. */
export const untilAskedToStop = (): Promise<void> =>
  new Promise((resolve) => process.on("message", (word) => void (word === stopWord && resolve())));

/**
 * Runs this command again in `count` processes that share its ports: connections go to them in turn. One that ends by itself is replaced.
 * Resolves when all have ended, after `signal`.
 */
export async function runProcesses(count: number, runtime: Runtime, signal: Promise<unknown>): Promise<void> {
  const stopping = new AbortController();
  void signal.then(() => stopping.abort());
  await Promise.all(Array.from({ length: count }, (_, place) => keepRunning(place, runtime, stopping.signal)));
}

async function keepRunning(place: number, runtime: Runtime, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const worker = cluster.fork({ [placeVariable]: String(place) });
    const stop = (): void => askToStop(worker);
    signal.addEventListener("abort", stop, { once: true });
    const [code, killedBy] = (await once(worker, "exit")) as [number | null, string | null];
    signal.removeEventListener("abort", stop);
    if (signal.aborted) return;
    runtime.log.warn("a process of the gateway ended and is started again", { place, code, signal: killedBy });
    await slept(restartMs, { clock: runtime.clock, signal }).catch(() => {}); // the loop sees why
  }
}

/** A process that has just ended needs no word. */
const askToStop = (worker: Worker): void => void (worker.isConnected() && worker.send(stopWord, () => {}));
