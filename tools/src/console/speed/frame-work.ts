/** An event of Chromium's trace format; times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** Of the processor, without what other processes took. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

export interface FrameWork {
  readonly frames: number;
  /** Milliseconds of the page's thread in a frame. */
  readonly median: number;
  readonly p99: number;
  /** The longest task, and how many there were of more than 50 ms. */
  readonly longestTask: number;
  readonly longTasks: number;
}

const longMs = 50;
/** Once in each frame that the page draws. */
const frameMark = "PrePaint";

/** Pure: what the page's own thread did in each frame. By processor time, so that a busy machine cannot fail it. */
export function frameWork(events: readonly TraceEvent[]): FrameWork {
  const threads = new Map<string, number>();
  const keyOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mains = new Set(
    events.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(keyOf),
  );
  for (const event of events)
    if (event.name === frameMark && mains.has(keyOf(event)))
      threads.set(keyOf(event), (threads.get(keyOf(event)) ?? 0) + 1);
  const [main] = [...threads].sort(([, a], [, b]) => b - a)[0] ?? [""];
  const own = events.filter((event) => keyOf(event) === main);
  const starts = own
    .filter(({ name }) => name === frameMark)
    .map(({ ts }) => ts)
    .sort((a, b) => a - b);
  const tasks = own
    .filter(({ name, ph }) => name === "ThreadControllerImpl::RunTask" && ph === "X")
    .map(({ ts, tdur = 0 }) => ({ ts, ms: tdur / 1000 }));
  const work = starts.slice(1).map(() => 0);
  let frame = 0;
  for (const { ts, ms } of tasks.sort((a, b) => a.ts - b.ts)) {
    while (frame < work.length && ts >= (starts[frame + 1] ?? Number.POSITIVE_INFINITY)) frame++;
    if (frame < work.length && ts >= (starts[frame] ?? 0)) work[frame] = (work[frame] ?? 0) + ms;
  }
  const sorted = work.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    frames: work.length,
    median: at(0.5),
    p99: at(0.99),
    longestTask: tasks.reduce((most, { ms }) => Math.max(most, ms), 0),
    longTasks: tasks.filter(({ ms }) => ms > longMs).length,
  };
}
