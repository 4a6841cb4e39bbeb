import { macrotask } from "@coxswain/runtime/event-loop";

/** How many nodes register, or look after themselves, at once. With a server in the same process that is one section of the event loop. */
const parallelNodes = 8;

/** Does the work of many nodes, some of them at a time. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let at = 0;
  const worker = async (): Promise<void> => {
    for (let item = items[at++]; item !== undefined; item = items[at++]) {
      await work(item);
      await macrotask(); // requests within the process never leave the microtask queue
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallelNodes, items.length) }, worker));
}
