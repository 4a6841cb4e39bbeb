import type { Activity } from "@coxswain/runtime/activity";

/** What pauses and goes on. */
export interface Pauses {
  readonly isPaused: boolean;
  onPause(listener: () => void): void;
  onResume(listener: () => void): void;
}

/** An activity whose share of `outer` is taken back during a pause. */
export function pausedActivity(outer: Activity, process: Pauses): Activity {
  let count = 0;
  let waits = 0;
  process.onPause(() => {
    for (let i = 0; i < waits; i++) outer.resume();
    for (let i = 0; i < count; i++) outer.end();
  });
  process.onResume(() => {
    for (let i = 0; i < count; i++) outer.begin();
    for (let i = 0; i < waits; i++) outer.pause();
  });
  const counted: Activity = {
    begin() {
      count += 1;
      if (!process.isPaused) outer.begin();
    },
    end() {
      count -= 1;
      if (!process.isPaused) outer.end();
    },
    get count() {
      return outer.count;
    },
    pause() {
      waits += 1;
      if (!process.isPaused) outer.pause();
    },
    resume() {
      waits -= 1;
      if (!process.isPaused) outer.resume();
    },
    settle: () => outer.settle(),
  };
  // Set after the cluster was opened, and read at each use.
  return Object.defineProperties(counted, {
    pick: { get: () => outer.pick, enumerable: true },
    trace: { get: () => outer.trace, enumerable: true },
  });
}
