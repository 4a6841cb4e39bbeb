import type { Runtime } from "@coxswain/runtime";
import { slept } from "@coxswain/runtime/wait";
import { runtimeService } from "../gen/cri.js";
import { changedPods, type Listing, listingOf } from "./changed-pods.js";
import { type CriClient, isUnimplemented } from "./cri-client.js";
import type { CriPods } from "./cri-pods.js";
import { createRelistMetrics, type RelistMetrics } from "./relist-metrics.js";

export interface FollowPodsOptions {
  readonly client: CriClient;
  readonly pods: CriPods;
  readonly runtime: Pick<Runtime, "ioClock" | "log" | "metrics">;
  onChange(podUid: string): void;
}

/** Upstream's generic PLEG relists each second; with events, as a check, after five minutes. */
const relistMs = { alone: 1000, withEvents: 300_000 };

/**
 * Reports pods whose containers or sandboxes changed, until the signal aborts: by the runtime's events where it has them, else by
 * lists that are compared. A runtime that is gone is asked again each second; what happened meanwhile is found by a list.
 */
export async function followPods(options: FollowPodsOptions, signal: AbortSignal): Promise<void> {
  const { client, runtime } = options;
  const metrics = createRelistMetrics(runtime.metrics, runtime.ioClock);
  const lister = createLister(options, metrics);
  let hasEvents = true;
  while (!signal.aborted) {
    await lister.relist();
    if (!hasEvents) {
      await slept(relistMs.alone, { clock: runtime.ioClock, signal });
      continue;
    }
    const round = new AbortController();
    const timer = runtime.ioClock.setTimer(relistMs.withEvents, () => round.abort());
    try {
      const until = AbortSignal.any([signal, round.signal]);
      await client.follow(
        runtimeService.getContainerEvents,
        {},
        ({ podSandboxStatus }) => {
          const uid = podSandboxStatus?.metadata?.uid;
          metrics.seen();
          if (uid) options.onChange(uid);
        },
        until,
      );
      // containerd ends the stream when it stops; a list shows when it is there again.
      if (!until.aborted) await slept(relistMs.alone, { clock: runtime.ioClock, signal });
    } catch (error) {
      if (isUnimplemented(error)) hasEvents = false;
      else {
        runtime.log.debug("the container runtime's events ended and are asked for again", { error });
        await slept(relistMs.alone, { clock: runtime.ioClock, signal });
      }
    } finally {
      timer.cancel();
    }
  }
}

function createLister(
  { pods, runtime, onChange }: FollowPodsOptions,
  metrics: RelistMetrics,
): { relist(): Promise<void> } {
  let known: Listing | undefined;
  return {
    async relist() {
      const listed = metrics.begin();
      try {
        const { sandboxes, containers } = await pods.list();
        const now = listingOf(sandboxes, containers);
        // Before the first list nobody knew anything: workers ask by themselves when they begin.
        if (known) for (const uid of changedPods(known, now)) onChange(uid);
        known = now;
        listed();
      } catch (error) {
        runtime.log.debug("the container runtime did not list its containers and is asked again", { error });
      }
    },
  };
}
