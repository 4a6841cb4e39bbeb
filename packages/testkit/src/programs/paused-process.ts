import { type Transport, TransportError } from "@coxswain/client/transport";
import type { WatchEvent, WatchStream } from "@coxswain/client/watch";
import type { Activity } from "@coxswain/runtime/activity";
import type { Clock, Timer } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import { type Pauses, pausedActivity } from "./paused-activity.js";

/** Retries and back-offs are shorter; deadlines and grace periods, which need not be waited for, are longer. In milliseconds. */
const shortTimerMs = 15_000;

/** An answer takes some turns of the event loop through a client. */
const turnsPerTimer = 20;

interface OwnTimer {
  readonly ms: number;
  /** Of the monotonic clock. */
  readonly at: number;
  readonly outer: Timer;
  fire(): void;
}

/** A process that can be stopped and continued, as by SIGSTOP and SIGCONT: the world goes on meanwhile. */
export class PausedProcess implements Pauses {
  #isPaused = false;
  #isKilled = false;
  #hasEnded = false;
  readonly #timers = new Set<OwnTimer>();
  readonly #underWay = new Set<(error: Error) => void>();
  readonly #streams = new Set<WatchStream>();
  #waiting: (() => void)[] = [];
  #due: (() => void)[] = [];
  readonly #onPause: (() => void)[] = [];
  readonly #onResume: (() => void)[] = [];

  get isPaused(): boolean {
    return this.#isPaused;
  }

  onPause(listener: () => void): void {
    this.#onPause.push(listener);
  }

  onResume(listener: () => void): void {
    this.#onResume.push(listener);
  }

  pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    for (const each of this.#onPause) each();
  }

  /** Timers that came due fire now, in their order; then what arrived meanwhile is delivered. */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    for (const each of this.#onResume) each();
    const fires = this.#due;
    this.#due = [];
    for (const fire of fires) fire();
    const woken = this.#waiting;
    this.#waiting = [];
    for (const wake of woken) wake();
  }

  /**
   * It disappears: what it has under way gets no answer. Its program is still to be ended here, and may wait for its clock before it does:
   * short timers fire at once from now on, though time stands still.
   */
  kill(): void {
    if (this.#isKilled) return;
    this.#isKilled = true;
    this.resume();
    for (const stream of this.#streams) stream.stop();
    for (const reject of this.#underWay) reject(killed());
    void this.#drain();
  }

  /** Its program has ended: nothing fires any more. */
  end(): void {
    this.#hasEnded = true;
    for (const { outer } of this.#timers) outer.cancel();
    this.#timers.clear();
  }

  /** Timers do not fire during a pause; the time of day and the monotonic clock go on. */
  clock(outer: Clock): Clock {
    return {
      now: () => outer.now(),
      monotonic: () => outer.monotonic(),
      setTimer: (ms, fire, kind) => {
        const due = (): void => {
          if (this.#isPaused) this.#due.push(() => this.#fire(timer));
          else this.#fire(timer);
        };
        const timer: OwnTimer = { ms, at: outer.monotonic() + ms, fire, outer: outer.setTimer(ms, due, kind) };
        this.#timers.add(timer);
        return {
          cancel: () => {
            this.#timers.delete(timer);
            timer.outer.cancel();
          },
        };
      },
    };
  }

  /** Answers and events do not arrive during a pause, and nothing is sent. */
  transport(outer: Transport): Transport {
    return {
      send: (request) => this.#whileAwake(() => outer.send(request)),
      watch: (request) =>
        this.#whileAwake(async () => {
          const stream = await outer.watch(request);
          return {
            [Symbol.asyncIterator]: () => this.#events(stream),
            stop: () => stream.stop(),
            ...(stream.isEndless && { isEndless: true }),
          };
        }),
      close: () => outer.close(),
    };
  }

  /** What the process has under way does not keep the clock from moving during a pause. */
  activity(outer: Activity): Activity {
    return pausedActivity(outer, this);
  }

  async #awake(): Promise<void> {
    while (this.#isPaused) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  async #whileAwake<T>(exchange: () => Promise<T>): Promise<T> {
    await this.#awake();
    try {
      return await this.#whileAlive(exchange());
    } finally {
      await this.#awake();
    }
  }

  /** Settles as `answer` does, or rejects when the process is killed before. */
  #whileAlive<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#isKilled) reject(killed());
      this.#underWay.add(reject);
      answer.then(resolve, reject).finally(() => this.#underWay.delete(reject));
    });
  }

  async *#events(stream: WatchStream): AsyncGenerator<readonly WatchEvent[], void> {
    this.#streams.add(stream);
    try {
      for await (const batch of stream) {
        await this.#awake();
        yield batch;
      }
      await this.#awake();
    } finally {
      this.#streams.delete(stream);
    }
  }

  #fire(timer: OwnTimer): void {
    if (!this.#timers.delete(timer)) return;
    timer.outer.cancel();
    timer.fire();
  }

  /** Lets the killed program come to its end: the timer that is due first fires, then there is time for what that brings about. */
  async #drain(): Promise<void> {
    for (;;) {
      for (let turn = 0; turn < turnsPerTimer; turn++) await macrotask();
      if (this.#hasEnded) return;
      const [next] = [...this.#timers].filter(({ ms }) => ms <= shortTimerMs).sort((a, b) => a.at - b.at);
      if (next) this.#fire(next);
    }
  }
}

const killed = (): TransportError => new TransportError("lost", "the program was killed (injected fault)");
