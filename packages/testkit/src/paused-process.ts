import type { Activity } from "@coxswain/runtime/activity";
import type { Clock, Timer } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import { type Transport, TransportError } from "@coxswain/client/transport";
import type { WatchEvent, WatchStream } from "@coxswain/client/watch";

/** A process that can be stopped and continued, as by SIGSTOP and SIGCONT: the world goes on meanwhile. */
export interface PausedProcess {
  readonly isPaused: boolean;
  pause(): void;
  /** Timers that came due fire now, in their order; then what arrived meanwhile is delivered. */
  resume(): void;
  /**
   * It disappears: what it has under way gets no answer. Its program is still to be ended here, and may wait for its clock before it does:
   * short timers fire at once from now on, though time stands still.
   */
  kill(): void;
  /** Its program has ended: nothing fires any more. */
  end(): void;
  /** Timers do not fire during a pause; the time of day and the monotonic clock go on. */
  clock(outer: Clock): Clock;
  /** Answers and events do not arrive during a pause, and nothing is sent. */
  transport(outer: Transport): Transport;
  /** What the process has under way does not keep the clock from moving during a pause. */
  activity(outer: Activity): Activity;
}

/** Retries and back-offs are shorter; deadlines and grace periods, which need not be waited for, are longer. In milliseconds. */
const shortTimerMs = 15_000;

export function createPausedProcess(): PausedProcess {
  let isPaused = false;
  let isKilled = false;
  let hasEnded = false;
  const timers = new Set<OwnTimer>();
  const underWay = new Set<(error: Error) => void>();
  const streams = new Set<WatchStream>();
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
    streams.add(stream);
    try {
      for await (const batch of stream) {
        await awake();
        yield batch;
      }
      await awake();
    } finally {
      streams.delete(stream);
    }
  }

  /** Settles as `answer` does, or rejects when the process is killed before. */
  const whileAlive = <T>(answer: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (isKilled) reject(killed());
      underWay.add(reject);
      answer.then(resolve, reject).finally(() => underWay.delete(reject));
    });

  function fire(timer: OwnTimer): void {
    if (!timers.delete(timer)) return;
    timer.outer.cancel();
    timer.fire();
  }

  /** Lets the killed program come to its end: the timer that is due first fires, then there is time for what that brings about. */
  async function drain(): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < turnsPerTimer; turn++) await macrotask();
      if (hasEnded) return;
      const [next] = [...timers].filter(({ ms }) => ms <= shortTimerMs).sort((a, b) => a.at - b.at);
      if (next) fire(next);
    }
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
    kill() {
      if (isKilled) return;
      isKilled = true;
      this.resume();
      for (const stream of streams) stream.stop();
      for (const reject of underWay) reject(killed());
      void drain();
    },
    end() {
      hasEnded = true;
      for (const { outer } of timers) outer.cancel();
      timers.clear();
    },
    clock: (outer) => ({
      now: () => outer.now(),
      monotonic: () => outer.monotonic(),
      setTimer(ms, fireIt, kind) {
        const timer: OwnTimer = {
          ms,
          at: outer.monotonic() + ms,
          fire: fireIt,
          outer: outer.setTimer(
            ms,
            () => {
              if (isPaused) due.push(() => fire(timer));
              else fire(timer);
            },
            kind,
          ),
        };
        timers.add(timer);
        return {
          cancel() {
            timers.delete(timer);
            timer.outer.cancel();
          },
        };
      },
    }),
    transport: (outer) => ({
      async send(request) {
        await awake();
        try {
          return await whileAlive(outer.send(request));
        } finally {
          await awake();
        }
      },
      async watch(request) {
        await awake();
        try {
          const stream = await whileAlive(outer.watch(request));
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

interface OwnTimer {
  readonly ms: number;
  /** Of the monotonic clock. */
  readonly at: number;
  readonly outer: Timer;
  fire(): void;
}

/** An answer takes some turns of the event loop through a client. */
const turnsPerTimer = 20;

const killed = (): TransportError => new TransportError("lost", "the program was killed (injected fault)");
