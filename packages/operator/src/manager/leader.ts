import type { Client } from "@coxswain/client";
import { createLeaderElector, createLeaseLock, type Leadership } from "@coxswain/client/leader-election";
import type { Runtime } from "@coxswain/runtime";
import { randomUuid } from "@coxswain/runtime/random";
import type { LeaderElectionOptions } from "./manager-options.js";

/** Whether this process may reconcile. */
export interface Leader {
  /** Waits until it may, runs `lead` until the signal aborts, and gives leadership up. Rejects where it is lost. */
  run(signal: AbortSignal, lead: (signal: AbortSignal) => Promise<void>): Promise<void>;
  readonly isLeader: boolean;
  /** @throws LeadershipLostError */
  assertLeading(): void;
}

/** A process that is alone. */
export function createLoneLeader(): Leader {
  let leading = false;
  return {
    get isLeader() {
      return leading;
    },
    assertLeading() {},
    async run(signal, lead) {
      leading = true;
      try {
        await lead(signal);
      } finally {
        leading = false;
      }
    },
  };
}

export interface ElectedLeaderOptions extends LeaderElectionOptions {
  readonly client: Client;
  readonly runtime: Runtime;
  readonly onChange: (leading: boolean) => void;
}

/** One of several replicas, elected by a Lease. */
export function createElectedLeader(options: ElectedLeaderOptions): Leader {
  const { id, namespace, client, runtime, onChange, leaseDurationMs, renewDeadlineMs, retryPeriodMs } = options;
  const { log, random } = runtime;
  if (id === "") throw new Error("leaderElection.id must be configured");
  if (!namespace)
    throw new Error(
      "unable to find leader election namespace: not running in-cluster, please specify leaderElection.namespace",
    );
  const identity = options.identity ?? randomUuid(random);
  const lock = createLeaseLock({
    leases: client.coordination.v1.leases(namespace),
    namespace,
    name: id,
    identity,
    ...(options.labels && { labels: options.labels }),
  });
  let leadership: Leadership | undefined;
  return {
    get isLeader() {
      return leadership !== undefined && isHeld(leadership);
    },
    assertLeading() {
      // Before the first election and after the last, nothing that needs the leader runs; webhooks and others may write.
      leadership?.assertLeading();
    },
    async run(stop, lead) {
      log.info("attempting to acquire leader lease", { lock: `${namespace}/${id}`, identity });
      // The lease is held until the controllers have ended: what they have under way may still write.
      const ending = new AbortController();
      const giveUp = (): void => {
        if (leadership === undefined) ending.abort();
      };
      stop.addEventListener("abort", giveUp, { once: true });
      if (stop.aborted) giveUp();
      const elector = createLeaderElector({
        lock,
        runtime,
        releaseOnStop: options.releaseOnStop ?? true,
        ...(leaseDurationMs !== undefined && { leaseDurationMs }),
        ...(renewDeadlineMs !== undefined && { renewDeadlineMs }),
        ...(retryPeriodMs !== undefined && { retryPeriodMs }),
        onError: (error) =>
          log.info("the leader lease was not acquired or renewed", { error, lock: `${namespace}/${id}` }),
        onNewLeader: (leader) => log.info("new leader elected", { leader, lock: `${namespace}/${id}` }),
        async lead(given) {
          leadership = given;
          log.info("successfully acquired lease", { lock: `${namespace}/${id}`, identity });
          onChange(true);
          try {
            await lead(AbortSignal.any([stop, given.signal]));
          } finally {
            onChange(false);
            ending.abort();
          }
        },
      });
      try {
        await elector.run(ending.signal);
      } finally {
        stop.removeEventListener("abort", giveUp);
      }
    },
  };
}

function isHeld(leadership: Leadership): boolean {
  try {
    leadership.assertLeading();
    return true;
  } catch {
    return false; // the question is whether it is held, and this is the answer
  }
}
