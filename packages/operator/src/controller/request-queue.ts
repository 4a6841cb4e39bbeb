import {
  createItemBackoff,
  createPriorityQueue,
  type PriorityQueue,
  type QueueMetricsProvider,
  type RateLimiter,
} from "@coxswain/client/queue";
import type { Runtime } from "@coxswain/runtime";
import type { Cause } from "../event/index.js";
import type { ObjectName } from "../resource/index.js";
import type { Request } from "./reconcile.js";

/** Which object of which cluster; what is queued. */
export interface RequestName extends ObjectName {
  /** @default the cluster of the event */
  readonly cluster?: string;
}

/** A controller's queue: names of objects, each with what woke it. */
export interface RequestQueue {
  add(name: RequestName, cause: Cause, options?: { readonly priority?: number; readonly afterMs?: number }): void;
  /** The next request, as soon as there is one; undefined once the queue is shut down. */
  next(): Promise<QueuedRequest | undefined>;
  shutDown(): void;
  readonly size: number;
}

export interface QueuedRequest {
  readonly request: Request;
  readonly priority: number;
  /** It failed, or asked for it: again when the rate limiter allows it. */
  retry(priority: number): void;
  /** It succeeded, and comes again after a while. */
  again(afterMs: number, priority: number): void;
  /** It succeeded. */
  forget(): void;
  /** Must be called last, whatever happened. */
  done(): void;
}

export interface RequestQueueOptions {
  readonly name: string;
  /** By `cluster/namespace/name`. @default 5 ms doubling to 1,000 s for each request */
  readonly rateLimiter?: RateLimiter<string> | undefined;
  readonly metrics?: QueueMetricsProvider;
  readonly runtime: Runtime;
}

/** More causes than this add nothing for a reader, and an object that changes all the time must not fill the memory. */
const keptCauses = 16;

export function createRequestQueue(options: RequestQueueOptions): RequestQueue {
  const { name: queueName, metrics, runtime } = options;
  const rateLimiter = options.rateLimiter ?? createItemBackoff<string>({ baseMs: 5, maxMs: 1_000_000 });
  const queue = createPriorityQueue<string>({
    name: queueName,
    rateLimiter,
    runtime,
    ...(metrics && { metrics }),
  });
  const waking = new Map<string, Cause[]>();

  function wake(key: string, cause: Cause): void {
    const causes = waking.get(key);
    if (causes === undefined) waking.set(key, [cause]);
    else if (causes.length < keptCauses) causes.push(cause);
    else causes[keptCauses - 1] = cause; // the newest is the most useful
  }

  return {
    add({ cluster = "", namespace = "", name }, cause, { priority = 0, afterMs = 0 } = {}) {
      const key = `${cluster}/${namespace}/${name}`;
      wake(key, cause);
      queue.addWith({ priority, afterMs }, key);
    },
    async next() {
      const got = await queue.getWithPriority();
      if (got === undefined) return undefined;
      const { item: key, priority } = got;
      const woken = waking.get(key) ?? [];
      waking.delete(key);
      return handOut(queue, { key, priority, woken, wake });
    },
    shutDown: () => queue.shutDown(),
    get size() {
      return queue.size;
    },
  };
}

interface HandedOut {
  readonly key: string;
  readonly priority: number;
  /** By sources, since it was last handed out. */
  readonly woken: readonly Cause[];
  wake(key: string, cause: Cause): void;
}

function handOut(queue: PriorityQueue<string>, { key, priority, woken, wake }: HandedOut): QueuedRequest {
  const [cluster = "", namespace = "", name = ""] = key.split("/");
  const retries = queue.retries(key);
  const causes: readonly Cause[] =
    retries > 0 ? [...woken, { type: "retry" }] : woken.length > 0 ? woken : [{ type: "requeue" }];
  return {
    request: { cluster, namespace, name, causes, retries },
    priority,
    retry(next) {
      // What was not carried out is still the reason of the next try.
      for (const cause of woken) wake(key, cause);
      queue.addWith({ priority: next, rateLimited: true }, key);
    },
    again(afterMs, next) {
      queue.forget(key);
      queue.addWith({ priority: next, afterMs }, key);
    },
    forget: () => queue.forget(key),
    done: () => queue.done(key),
  };
}
