import type { Scheduler } from "@coxswain/runtime/scheduler";

/** How many nodes register, or look after themselves, at once. With a server in the same process that is one section of the event loop. */
const parallelNodes = 8;
/** What one node's work takes with a server in the same process, in microseconds. */
const microsPerNode = 600;

/** Does the work of many nodes, some of them at a time. */
export async function inParallel<T>(
  scheduler: Scheduler,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  let at = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[at++]; item !== undefined; item = items[at++]) {
      await work(item);
      const pause = scheduler.yield(microsPerNode); // requests within the process never leave the microtask queue
      if (pause) await pause;
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelNodes, items.length) }, worker));
}
