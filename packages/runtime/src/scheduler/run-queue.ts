import type { Task } from "./task.js";

/** Under backpressure a flow with so many requests in flight begins no more. */
const inFlightLimit = 16;

/** The tasks that are ready to run, a queue for each flow. Flows are served round-robin, the tasks of a flow in their order. */
export class RunQueue {
  /** In the order in which flows are served. A task without a flow is a flow of its own. */
  readonly #queues = new Map<string | Task, Task[]>();
  readonly #inFlight = new Map<string, number>();
  /** What requests wait for in flight is behind: only flows below their limit are served. */
  hasBackpressure = false;

  push(task: Task): void {
    const flow = task.flow ?? task;
    const queue = this.#queues.get(flow);
    if (queue) queue.push(task);
    else this.#queues.set(flow, [task]);
  }

  shift(): Task | undefined {
    const flow = this.#nextFlow();
    const queue = flow && this.#queues.get(flow);
    if (!flow || !queue) return undefined;
    const task = queue.shift();
    this.#queues.delete(flow);
    if (queue.length > 0) this.#queues.set(flow, queue);
    return task;
  }

  addInFlight(flow: string, change: 1 | -1): void {
    const count = (this.#inFlight.get(flow) ?? 0) + change;
    if (count === 0) this.#inFlight.delete(flow);
    else this.#inFlight.set(flow, count);
  }

  #nextFlow(): string | Task | undefined {
    for (const flow of this.#queues.keys())
      if (!this.hasBackpressure || typeof flow !== "string" || (this.#inFlight.get(flow) ?? 0) < inFlightLimit)
        return flow;
    return undefined;
  }
}
