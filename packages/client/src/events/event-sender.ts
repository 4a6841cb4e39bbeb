import type { ObjectMeta } from "@coxswain/api/meta/v1";
import { isAlreadyExists, isStatusError, statusCause } from "@coxswain/apimachinery/status";
import type { Runtime } from "@coxswain/runtime";
import { slept, stopReason } from "@coxswain/runtime/wait";
import type { EventSink } from "./event-sink.js";

/** An event on its way: created, or patched into the one that is stored. */
export interface Sending<E> {
  readonly event: E;
  readonly patch?: object;
  readonly onStored?: (stored: E) => void;
}

/** Sends events one after the other. */
export interface EventSender<E> {
  /** False when too many wait: the event is dropped. */
  send(sending: Sending<E>): boolean;
  /** Drops what waits and waits for the request under way. */
  stop(): Promise<void>;
  /** Resolves once nothing waits. */
  flush(): Promise<void>;
}

export interface EventSenderOptions<E> {
  readonly sink: EventSink<E>;
  readonly onError: (error: unknown) => void;
  readonly runtime: Runtime;
}

/** Upstream's numbers. */
const maxQueued = 1000;
const maxTries = 12;
const retryMs = 10_000;

export function createEventSender<E extends { metadata?: ObjectMeta }>(options: EventSenderOptions<E>): EventSender<E> {
  const { sink, onError } = options;
  const { clock, random, activity } = options.runtime;
  const queue: Sending<E>[] = [];
  const ending = new AbortController();
  const { signal } = ending;
  let running: Promise<void> | undefined;

  /** One try; false if another makes sense. */
  async function store({ event, patch, onStored }: Sending<E>): Promise<boolean> {
    try {
      const stored = await write(event, patch);
      onStored?.(stored);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      // Created by somebody between our patch and our creation: the patch works now.
      if (patch !== undefined && isAlreadyExists(error)) return false;
      const expected = isAlreadyExists(error) || statusCause(error, "NamespaceTerminating") !== undefined;
      if (!expected) onError(error);
      // The server refused it and would again; without an answer it may take it later.
      return isStatusError(error);
    }
  }

  async function write(event: E, patch: object | undefined): Promise<E> {
    if (patch === undefined) return sink.create(withoutVersion(event), signal);
    try {
      return await sink.patch(event, patch, signal);
    } catch (error) {
      // Events expire.
      if (!isStatusError(error) || error.status.code !== 404) throw error;
      return sink.create(withoutVersion(event), signal);
    }
  }

  async function sendOne(sending: Sending<E>): Promise<void> {
    for (let tries = 1; !(await store(sending)); tries++) {
      if (tries === maxTries) {
        onError(new Error(`an event was given up after ${maxTries} tries`));
        return;
      }
      // The first wait is random, so that not all clients come back together.
      const wait = tries === 1 ? retryMs * random.next() : retryMs;
      // Waiting for time to pass is no activity: a virtual clock must move on.
      activity.end();
      const awake = await slept(wait, { clock, signal });
      activity.begin();
      if (!awake) return;
    }
  }

  async function run(): Promise<void> {
    activity.begin();
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await sendOne(next);
    running = undefined;
    activity.end();
  }

  return {
    send(sending) {
      if (signal.aborted || queue.length >= maxQueued) return false;
      queue.push(sending);
      running ??= run();
      return true;
    },
    async flush() {
      for (let busy = running; busy !== undefined; busy = running) await busy;
    },
    async stop() {
      ending.abort(stopReason);
      queue.length = 0;
      await running;
    },
  };
}

/** An object to be created must not have a version. */
function withoutVersion<E extends { metadata?: ObjectMeta }>(event: E): E {
  const { resourceVersion: _, ...metadata } = event.metadata ?? {};
  return { ...event, metadata };
}
