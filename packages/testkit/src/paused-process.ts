import type { Activity, Clock } from "@coxswain/apimachinery/clock";
import type { Transport } from "@coxswain/client/transport";
import type { WatchEvent, WatchStream } from "@coxswain/client/watch";

/** A process that can be stopped and continued, as by SIGSTOP and SIGCONT: the world goes on meanwhile. */
export interface PausedProcess {
  readonly isPaused: boolean;
  pause(): void;
  /** Timers that came due fire now, in their order; then what arrived meanwhile is delivered. */
  resume(): void;
  /** Timers do not fire during a pause; the time of day and the monotonic clock go on. */
  clock(outer: Clock): Clock;
  /** Answers and events do not arrive during a pause, and nothing is sent. */
  transport(outer: Transport): Transport;
  /** What the process has under way does not keep the clock from moving during a pause. */
  activity(outer: Activity): Activity;
}

export function createPausedProcess(): PausedProcess {
  let isPaused = false;
  let waiting: (() => void)[] = [];
  let due: (() => void)[] = [];
  const onPause: (() => void)[] = [];
  const onResume: (() => void)[] = [];
  const awake = async (): Promise<void> => {
    for (;;) {
      if (!isPaused) return;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };

  async function* events(stream: WatchStream): AsyncGenerator<readonly WatchEvent[], void> {
    for await (const batch of stream) {
      await awake();
      yield batch;
    }
    await awake();
  }

  return {
    get isPaused() {
      return isPaused;
    },
    pause() {
      if (isPaused) return;
      isPaused = true;
      for (const each of onPause) each();
    },
    resume() {
      if (!isPaused) return;
      isPaused = false;
      for (const each of onResume) each();
      const fires = due;
      due = [];
      for (const fire of fires) fire();
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake();
    },
    clock: (outer) => ({
      now: () => outer.now(),
      monotonic: () => outer.monotonic(),
      setTimer(ms, fire, kind) {
        let isCancelled = false;
        const timer = outer.setTimer(
          ms,
          () => {
            if (isPaused) due.push(() => isCancelled || fire());
            else fire();
          },
          kind,
        );
        return {
          cancel() {
            isCancelled = true;
            timer.cancel();
          },
        };
      },
    }),
    transport: (outer) => ({
      async send(request) {
        await awake();
        try {
          return await outer.send(request);
        } finally {
          await awake();
        }
      },
      async watch(request) {
        await awake();
        try {
          const stream = await outer.watch(request);
          return {
            [Symbol.asyncIterator]: () => events(stream),
            stop: () => stream.stop(),
            ...(stream.isEndless && { isEndless: true }),
          };
        } finally {
          await awake();
        }
      },
      close: () => outer.close(),
    }),
    activity(outer) {
      let count = 0;
      let waits = 0;
      onPause.push(() => {
        for (let i = 0; i < waits; i++) outer.resume();
        for (let i = 0; i < count; i++) outer.end();
      });
      onResume.push(() => {
        for (let i = 0; i < count; i++) outer.begin();
        for (let i = 0; i < waits; i++) outer.pause();
      });
      const counted: Activity = {
        begin() {
          count += 1;
          if (!isPaused) outer.begin();
        },
        end() {
          count -= 1;
          if (!isPaused) outer.end();
        },
        get count() {
          return outer.count;
        },
        pause() {
          waits += 1;
          if (!isPaused) outer.pause();
        },
        resume() {
          waits -= 1;
          if (!isPaused) outer.resume();
        },
        settle: () => outer.settle(),
      };
      // Set after the cluster was opened, and read at each use.
      return Object.defineProperties(counted, {
        pick: { get: () => outer.pick, enumerable: true },
        trace: { get: () => outer.trace, enumerable: true },
      });
    },
  };
}
