import type { Scheduler } from "@coxswain/runtime/scheduler";

export interface SectionObserver {
  /** `index` counts the sections since `observe`. */
  begins(index: number): void;
  ends(index: number): void;
}

/** A scheduler that knows where sections end. */
export interface SectionScheduler extends Scheduler {
  /** From now on, until the function that it returns is called, which ends the last section. */
  observe(observer: SectionObserver): () => void;
}

/**
 * What runs between two questions whether others may run (`yield`) is a section: nothing interrupts it, however long it takes. That such a
 * question is answered with "go on", because the time slice is not used up yet, does not matter.
 */
export function createSectionScheduler(base: Scheduler): SectionScheduler {
  let observer: SectionObserver | undefined;
  let index = 0;
  const end = (): void => observer?.ends(index++);
  const begin = (): void => observer?.begins(index);
  return {
    schedule: (task) => base.schedule(task),
    yield(costMicros, flow) {
      end();
      const pause = base.yield(costMicros, flow);
      if (pause) void pause.then(begin);
      else begin();
      return pause;
    },
    nextIteration: () => base.nextIteration(),
    began: (flow) => base.began(flow),
    ended: (flow) => base.ended(flow),
    setBackpressure: (isOn) => base.setBackpressure(isOn),
    observe(given) {
      observer = given;
      index = 0;
      begin();
      return () => {
        end();
        observer = undefined;
      };
    },
  };
}
