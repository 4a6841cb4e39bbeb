/** Work that is done in steps. */
export interface Task {
  /** Tasks of one flow get one share of the time together; undefined: a flow of its own. */
  readonly flow: string | undefined;
  /** Does at least one step, and more while the clock is below `deadline`. @returns whether there is more to do: then it is called again */
  run(deadline: number): boolean;
}

/** Shares the thread among connections. This package stands alone, so it names what it needs; `TaskScheduler` of apimachinery fits. */
export interface TaskScheduler {
  schedule(task: Task): void;
}
