import type { Activity } from "../activity/index.js";
import { type EventLoop, systemEventLoop } from "../event-loop/index.js";
import { RunQueue } from "./run-queue.js";
import type { Scheduler } from "./scheduler.js";
import type { SliceTime } from "./slice-time.js";
import type { Task } from "./task.js";

/**
 * While tasks are ready all the time they get at least this share of it. In a process that does other work as well (controllers, nodes)
 * an iteration may take 10 to 100 ms, and 0.25 ms of each were too little for the answers to writes: heartbeats of nodes came late.
 */
const leastShare = 1 / 8;

/** What a task's look at the time stands for where time is estimated, in microseconds: about a frame of a connection. */
const microsPerLook = 50;

export interface TaskSchedulerOptions {
  readonly time: SliceTime;
  /** Counts those who wait after a `yield`: they are in the middle of their work. */
  readonly activity: Activity;
  /** @default the platform's */
  readonly loop?: EventLoop;
}

/** The one implementation. Time counts with the promise jobs that follow from a task. */
export class TaskScheduler implements Scheduler {
  readonly #time: SliceTime;
  readonly #activity: Activity;
  readonly #loop: EventLoop;
  readonly #ready = new RunQueue();
  /** A slice has begun in this iteration of the loop. */
  #isSliceOpen = false;
  #openedAt = 0;
  #deadline = 0;
  /** How long the iteration took that has just ended, where tasks waited all the time; otherwise 0. */
  #iterationMs = 0;
  #isRunning = false;

  constructor({ time, activity, loop = systemEventLoop }: TaskSchedulerOptions) {
    this.#time = time;
    this.#activity = activity;
    this.#loop = loop;
  }

  schedule(task: Task): void {
    this.#ready.push(task);
    if (this.#isRunning) return;
    if (!this.#isSliceOpen) this.#openSlice();
    this.#step();
  }

  yield(costMicros: number, flow?: string): Promise<void> | undefined {
    if (!this.#isSliceOpen) this.#openSlice();
    this.#time.spend(costMicros);
    return this.#hasTime() ? undefined : this.#nextSlice(flow);
  }

  nextIteration(): Promise<void> {
    return new Promise((resolve) => this.#loop.nextIteration(resolve));
  }

  began(flow: string): void {
    this.#ready.addInFlight(flow, 1);
  }

  ended(flow: string): void {
    this.#ready.addInFlight(flow, -1);
  }

  setBackpressure(isOn: boolean): void {
    const wasOn = this.#ready.hasBackpressure;
    this.#ready.hasBackpressure = isOn;
    if (!wasOn || isOn || this.#isRunning) return;
    if (!this.#isSliceOpen) this.#openSlice();
    this.#step();
  }

  #nextSlice(flow: string | undefined): Promise<void> {
    this.#activity.begin();
    return new Promise((resolve) =>
      this.schedule({
        flow,
        run: () => {
          this.#activity.end();
          resolve();
          return false;
        },
      }),
    );
  }

  #openSlice(): void {
    this.#isSliceOpen = true;
    this.#openedAt = this.#time.now();
    this.#deadline = this.#openedAt + Math.max(this.#time.sliceMs, this.#iterationMs * leastShare);
    this.#loop.nextIteration(this.#endSlice);
  }

  readonly #endSlice = (): void => {
    this.#isSliceOpen = false;
    this.#iterationMs = this.#time.now() - this.#openedAt;
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
    if (task.run(this.#taskHasTime)) this.#ready.push(task);
  }

  #hasTime(): boolean {
    return this.#time.now() < this.#deadline;
  }

  readonly #taskHasTime = (): boolean => {
    this.#time.spend(microsPerLook);
    return this.#hasTime();
  };
}
