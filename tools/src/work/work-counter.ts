import { type Profiler, Session } from "node:inspector";

/** What ran since the counter was last read. */
export interface Work {
  /** How often blocks of JavaScript ran, all together: the same for the same input, however busy the machine is. */
  readonly total: number;
  /** How often each block ran, by script and place. */
  readonly blocks: ReadonlyMap<string, number>;
}

export interface WorkCounter {
  /** Reads the counts and sets them to zero. */
  take(): Work;
  stop(): void;
}

/**
 * Counts executed blocks by V8's precise coverage. Only scripts that are loaded after this was called have blocks; earlier ones are
 * counted by function. What the engine does itself (regular expressions, sorting, copying) is not seen.
 *
 * @param isCounted whether a script belongs to what is measured, by its URL
 */
export function createWorkCounter(isCounted: (url: string) => boolean): WorkCounter {
  const session = new Session();
  session.connect();
  /** On the same thread an answer comes before `post` returns. */
  const post = <T>(method: string, params?: object): T => {
    let answer: T | undefined;
    let failure: Error | null = null;
    session.post(method, params, (err, result) => {
      failure = err;
      answer = result as T;
    });
    if (failure !== null) throw failure as Error;
    return answer as T;
  };
  post("Profiler.enable");
  post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  return {
    take() {
      const { result } = post<Profiler.TakePreciseCoverageReturnType>("Profiler.takePreciseCoverage");
      const blocks = new Map<string, number>();
      let total = 0;
      for (const { url, scriptId, functions } of result) {
        if (!isCounted(url)) continue;
        for (const { ranges } of functions) {
          for (const { startOffset, endOffset, count } of ranges) {
            if (count === 0) continue;
            total += count;
            const key = `${scriptId}:${startOffset}-${endOffset}`;
            blocks.set(key, (blocks.get(key) ?? 0) + count);
          }
        }
      }
      return { total, blocks };
    },
    stop() {
      post("Profiler.stopPreciseCoverage");
      session.disconnect();
    },
  };
}
