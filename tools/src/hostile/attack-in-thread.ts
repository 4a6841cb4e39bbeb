import { setMaxListeners } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import type { Target } from "./attack.js";
import { attacks } from "./attacks/index.js";

interface Order {
  readonly attack: string;
  readonly target: Target;
}

/** This file as it is built: a thread loads no TypeScript, and tests run on the sources. */
const built = new URL(import.meta.url.replace("/tools/src/", "/tools/dist/").replace(/\.ts$/, ".js"));

/** Begins an attack on a thread of its own, so that it does not slow down who measures. Returns how to end it, which resolves to what it got that it should not have. */
export function beginAttack(order: Order): () => Promise<readonly string[]> {
  const worker = new Worker(built, { workerData: order, execArgv: [] }); // without the conditions by which tests find sources
  const ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  let loot: readonly string[] = [];
  worker.on("error", (err) => console.error(`the attack "${order.attack}" failed: ${err.stack}`));
  worker.on("message", (got: readonly string[]) => (loot = got));
  return async () => {
    worker.postMessage("stop");
    const late = setTimeout(() => void worker.terminate(), 5000);
    await ended;
    clearTimeout(late);
    return loot;
  };
}

if (parentPort !== null && (workerData as Partial<Order> | null)?.attack !== undefined) {
  const { attack, target } = workerData as Order;
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // one per connection
  parentPort.once("message", () => stopping.abort());
  const loot = await attacks.find(({ name }) => name === attack)?.run(target, stopping.signal);
  if (loot) parentPort.postMessage(loot);
}
