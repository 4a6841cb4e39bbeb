import type { Task } from "./task.js";

/**
 * Shares the one thread among all that runs in the process; `docs/event-loop.md` explains it. Flows get fair shares, round-robin,
 * however many connections or requests each has.
 */
export interface Scheduler {
  /** Runs the task when it is its flow's turn: at once if nothing else is ready and the time slice is not used up. */
  schedule(task: Task): void;
  /**
   * For loops over much work, between two steps, the last of which took about `costMicros`: undefined while there is time left in
   * this slice; otherwise a promise to wait for, so that others run meanwhile.
   *
   *     const pause = scheduler.yield(cost);
   *     if (pause) await pause;
   *
   * On a real clock time is measured, and the estimate does not count; on a virtual one estimates alone count, so that the same work is
   * interrupted at the same places everywhere.
   *
   * @param flow whose share of the thread the wait is for. @default a flow of its own
   */
  yield(costMicros: number, flow?: string): Promise<void> | undefined;
  /**
   * Resolves in a later iteration of the event loop, after sockets and timers had theirs. Who waits is not counted as work under way: for
   * programs without an end, which must not keep a virtual clock from settling, and to wait for more to arrive.
   */
  nextIteration(): Promise<void>;
  /** A request of this flow waits for something, such as the disk, until `ended`. */
  began(flow: string): void;
  ended(flow: string): void;
  /** What requests in flight wait for, such as the disk, is behind: flows that have many of them begin no more until it is over. */
  setBackpressure(isOn: boolean): void;
}
