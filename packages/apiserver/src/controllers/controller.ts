import {
  createItemBackoff,
  createRateLimitingQueue,
  type RateLimitingQueue,
  type RunWorkersOptions,
  runWorkers,
} from "@coxswain/client/queue";
import type { AnyKind } from "@coxswain/kinds";
import { traceAs } from "@coxswain/runtime";
import { stopReason } from "@coxswain/runtime/wait";
import type { CacheEntry } from "../cache/cache-entry.js";
import type { EventType } from "../cache/cache-event.js";
import type { ControllerContext } from "./controller-context.js";
import { type EntryFollower, followEntries, type ObjectName } from "./follow-entries.js";

/**
 * One of the controllers inside the server. Changes in the watch caches wake keys of a work queue. A reconcile reads those caches by
 * a `Lister`, as admission does, because they hold every write before its writer is answered, and writes through the context's
 * `objects` in the server's own name.
 */
export interface Controller {
  /** Begins to follow its kinds and to work. */
  start(): void;
  /** Waits for what is being reconciled. */
  stop(): Promise<void>;
}

/** A controller whose keys others may wake as well. */
export interface QueueController extends Controller {
  readonly queue: RateLimitingQueue<string>;
}

/** Whose changes wake a controller. */
export interface WatchedKind {
  readonly kind: AnyKind;
  /** @default all objects of the kind */
  readonly only?: ObjectName;
  /** Objects that are there at the start wake nothing. @default they do */
  readonly changesOnly?: boolean;
  /** The keys that a change concerns. */
  keysOf(entry: CacheEntry, change: EventType): Iterable<string>;
  /** How long a key waits, so that many changes are one reconcile. @default 0 */
  readonly delayMs?: number;
}

export interface ControllerOptions {
  readonly name: string;
  /** Logged when a reconcile throws, before it is tried again. */
  readonly failure: string;
  /** @default "warn" */
  readonly failureLevel?: "warn" | "debug";
  /** @default 1 */
  readonly workers?: number;
  /** After a failure. @default as every work queue */
  readonly retry?: { readonly baseMs: number; readonly maxMs: number };
  /** @default keys are woken by others alone */
  readonly watched?: readonly WatchedKind[];
  readonly reconcile: RunWorkersOptions<string>["work"];
}

export function createController(
  { runtime, objects }: ControllerContext,
  { name, failure, failureLevel = "warn", workers = 1, retry, watched = [], reconcile }: ControllerOptions,
): QueueController {
  const rateLimiter = retry && createItemBackoff<string>(retry);
  const queue = createRateLimitingQueue<string>({
    name,
    runtime: traceAs(runtime, "apiserver"),
    ...(rateLimiter && { rateLimiter }),
  });
  const ending = new AbortController();
  let followers: readonly EntryFollower[] = [];
  let working: Promise<void> | undefined;
  const follow = ({ keysOf, delayMs = 0, ...followed }: WatchedKind): EntryFollower =>
    followEntries(objects.feed, followed, (entry, change) => {
      for (const key of keysOf(entry, change)) queue.addAfter(key, delayMs);
    });
  return {
    queue,
    start() {
      followers = watched.map(follow);
      working = runWorkers({
        queue,
        runtime,
        workers,
        work: reconcile,
        signal: ending.signal,
        onError: (error, key) => runtime.log[failureLevel](failure, { key, error }),
      });
    },
    async stop() {
      ending.abort(stopReason);
      queue.shutDown();
      for (const follower of followers) follower.stop();
      await working;
    },
  };
}

export interface WholeControllerOptions extends Pick<ControllerOptions, "name" | "failure" | "retry" | "reconcile"> {
  readonly watched: readonly Omit<WatchedKind, "keysOf">[];
}

/** Reconciles everything at once, at its start and whenever one of the objects changes: for controllers of a few objects. */
export function createWholeController(
  context: ControllerContext,
  { watched, ...options }: WholeControllerOptions,
): Controller {
  const key = [options.name];
  const controller = createController(context, {
    ...options,
    watched: watched.map((each) => ({ ...each, keysOf: () => key })),
  });
  // Also when there is no object yet that could wake it.
  controller.queue.add(options.name);
  return controller;
}
