import { macrotask } from "../event-loop/index.js";
import type { Steps } from "./steps.js";

export interface RunInSlicesOptions {
  /** How long others wait at most, by the estimates of the work. @default 5000 */
  readonly sliceMicros?: number;
  /** Throws its reason in the middle of the work. Read only where the work takes more than a slice. @default the work is done to its end */
  readonly signal?: AbortSignal | undefined;
}

/** Work of less than a slice is done at once; between slices of longer work others run. */
export function runInSlices<T>(steps: Steps<T>, options: RunInSlicesOptions = {}): T | Promise<T> {
  const { sliceMicros = 5_000 } = options;
  for (let spent = 0; ; ) {
    const { done, value } = steps.next();
    if (done) return value;
    spent += value;
    if (spent >= sliceMicros) return goOn(steps, options);
  }
}

async function goOn<T>(steps: Steps<T>, { sliceMicros = 5_000, signal }: RunInSlicesOptions): Promise<T> {
  for (;;) {
    await macrotask();
    signal?.throwIfAborted();
    for (let spent = 0; spent < sliceMicros; ) {
      const { done, value } = steps.next();
      if (done) return value;
      spent += value;
    }
  }
}
