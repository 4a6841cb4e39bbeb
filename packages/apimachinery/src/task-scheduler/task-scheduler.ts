import type { Clock } from "../clock/index.js";
import { type EventLoop, nodeEventLoop } from "./event-loop.js";
import { RunQueue } from "./run-queue.js";
import type { Task } from "./task.js";

/** How long tasks run in one iteration of the event loop before sockets are polled again, in milliseconds. */
const timeSliceMs = 0.25;
/**
 * While tasks are ready all the time they get at least this share of it. In a process that does other work as well (controllers, nodes)
 * an iteration may take 10 to 100 ms, and 0.25 ms of each were too little for the answers to writes: heartbeats of nodes came late.
 */
const leastShare = 1 / 8;

/**
 * A cooperative scheduler for the one thread that serves all clients; `docs/event-loop.md` explains it. Flows get fair shares,
 * round-robin, however many connections or requests each has. Time counts with the promise jobs that follow from a task.
 */
export class TaskScheduler {
  readonly #clock: Pick<Clock, "monotonic">;
  readonly #loop: EventLoop;
  readonly #ready = new RunQueue();
  /** A slice has begun in this iteration of the loop. */
  #isSliceOpen = false;
  #openedAt = 0;
  #deadline = 0;
  /** How long the iteration took that has just ended, where tasks waited all the time; otherwise 0. */
  #iterationMs = 0;
  #isRunning = false;

  /** @param clock a real one: it measures this process */
  constructor(clock: Pick<Clock, "monotonic">, loop = nodeEventLoop) {
    this.#clock = clock;
    this.#loop = loop;
  }

  /** Runs the task when it is its flow's turn: at once if nothing else is ready and the time slice is not used up. */
  schedule(task: Task): void {
    this.#ready.push(task);
    if (this.#isRunning) return;
    if (!this.#isSliceOpen) this.#openSlice();
    this.#step();
  }

  /**
   * For loops over much work, between two steps: undefined while there is time left in this slice; otherwise a promise to wait
   * for, so that others run meanwhile. `const pause = scheduler.yieldIfDue(); if (pause) await pause;`
   */
  yieldIfDue(): Promise<void> | undefined {
    if (!this.#isSliceOpen) this.#openSlice();
    return this.#hasTime() ? undefined : new Promise((resolve) => this.schedule(continuation(resolve)));
  }

  /** A request of this flow waits for something, such as the disk, until `ended`. */
  began(flow: string): void {
    this.#ready.addInFlight(flow, 1);
  }

  ended(flow: string): void {
    this.#ready.addInFlight(flow, -1);
  }

  /** What requests in flight wait for, such as the disk, is behind: flows that have many of them begin no more until it is over. */
  setBackpressure(isOn: boolean): void {
    const wasOn = this.#ready.hasBackpressure;
    this.#ready.hasBackpressure = isOn;
    if (!wasOn || isOn || this.#isRunning) return;
    if (!this.#isSliceOpen) this.#openSlice();
    this.#step();
  }

  #openSlice(): void {
    this.#isSliceOpen = true;
    this.#openedAt = this.#clock.monotonic();
    this.#deadline = this.#openedAt + Math.max(timeSliceMs, this.#iterationMs * leastShare);
    this.#loop.nextIteration(this.#endSlice);
  }

  readonly #endSlice = (): void => {
    this.#isSliceOpen = false;
    this.#iterationMs = this.#clock.monotonic() - this.#openedAt;
    this.#runNext();
    this.#iterationMs = 0;
  };

  readonly #step = (): void => {
    this.#isRunning = false;
    if (this.#hasTime()) this.#runNext();
  };

  #runNext(): void {
    const task = this.#ready.shift();
    if (!task) return;
    if (!this.#isSliceOpen) this.#openSlice();
    this.#isRunning = true;
    // Before the task runs: one that throws does not stop the others.
    this.#loop.afterPromiseJobs(this.#step);
    if (task.run(this.#deadline)) this.#ready.push(task);
  }

  #hasTime(): boolean {
    return this.#clock.monotonic() < this.#deadline;
  }
}

const continuation = (resume: () => void): Task => ({ flow: undefined, run: () => (resume(), false) });
