import { AsyncLocalStorage } from "node:async_hooks";
import { attributedCauses } from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";
import { intercept } from "@coxswain/client";
import { addHeaders } from "@coxswain/client/rest";
import { causeHeader, formatClaim, recordWork } from "@coxswain/client/work";
import { type Cluster, clusterFeatureGates, startCluster } from "@coxswain/cluster";
import { type TestRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";

/** How well writes of controllers were linked to the work that made them. */
export interface Judgement {
  writes: number;
  exact: number;
  /** Marked exact, but another item made it. */
  readonly wrong: string[];
  /** Not exact, for those who improve it. */
  readonly others: string[];
}

export interface StoryCluster {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly runtime: TestRuntime;
  readonly judgement: Judgement;
  stop(): Promise<void>;
}

/**
 * A cluster with history in virtual time. Each reconcile runs in an AsyncLocalStorage, and its requests name it in a header: the truth
 * that the inference is compared with, write by write.
 */
export async function openStoryCluster({ nodes }: { nodes: number }): Promise<StoryCluster> {
  const activity = createActivity();
  const clock = createVirtualClock({ activity, startMs: Date.UTC(2026, 10, 18, 12, 0, 0) });
  const runtime = testRuntime(1, { clock });
  const store = createMemoryStore({ runtime });
  const works = recordWork({ clock, revision: () => store.revision });
  const truth = new AsyncLocalStorage<string>();
  works.around = (item, run) => truth.run(String(item), run);
  activity.trace = works;
  const judgement: Judgement = { writes: 0, exact: 0, wrong: [], others: [] };
  const ending = new AbortController();
  const causesOf = attributedCauses(works);
  const watching = store.watch(
    { prefix: "/registry/", from: store.revision },
    (events) => {
      for (const event of events) {
        const claim = event.note?.cause;
        if (claim === undefined || /^\/registry\/(events|leases)\//.test(event.key)) continue;
        judge(judgement, { key: event.key, item: claim.split(" ")[1] ?? "", found: causesOf(event)?.() ?? [] });
      }
    },
    ending.signal,
  );
  const cluster = await startCluster({
    runtime,
    featureGates: clusterFeatureGates(),
    apiServer: { store, limits: { priorityAndFairness: false }, history: { bytes: 32 << 20, works } },
    nodes,
    wrapTransport: (transport) =>
      intercept(transport, [
        addHeaders(() => {
          const item = truth.getStore();
          return item === undefined
            ? undefined
            : { [causeHeader]: formatClaim({ queue: "truth", item, revisions: [] }) };
        }),
      ]),
  });
  await clock.settle();
  return {
    cluster,
    client: cluster.client,
    runtime,
    judgement,
    async stop() {
      await cluster.stop();
      ending.abort();
      await watching;
      await store.close();
    },
  };
}

function judge(
  judgement: Judgement,
  { key, item, found }: { key: string; item: string; found: readonly { certainty: string; item: string }[] },
): void {
  judgement.writes++;
  const [first] = found;
  if (first?.certainty !== "exact") judgement.others.push(`${key} by ${item}`);
  else if (first.item === item) judgement.exact++;
  else judgement.wrong.push(`${key}: ${first.item}, but it was ${item}`);
}
