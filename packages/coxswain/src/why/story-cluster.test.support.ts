import { attributedCauses } from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";
import { intercept } from "@coxswain/client";
import { addHeaders } from "@coxswain/client/rest";
import { recordWork } from "@coxswain/client/work";
import { type Cluster, clusterFeatureGates, startCluster } from "@coxswain/cluster";
import { type TestRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { CauseCheck } from "@coxswain/tools/causes";

export interface StoryCluster {
  readonly cluster: Cluster;
  readonly client: Client;
  readonly runtime: TestRuntime;
  readonly causeCheck: CauseCheck;
  stop(): Promise<void>;
}

/**
 * A cluster with history in virtual time. Each reconcile runs in an AsyncLocalStorage, and its requests are known by their audit ids: the
 * truth that the inference is compared with, write by write.
 */
export async function openStoryCluster({ nodes }: { nodes: number }): Promise<StoryCluster> {
  const activity = createActivity();
  const clock = createVirtualClock({ activity, startMs: Date.UTC(2026, 10, 18, 12, 0, 0) });
  const runtime = testRuntime(1, { clock });
  const store = createMemoryStore({ runtime });
  const works = recordWork({ clock, revision: () => store.revision });
  const causeCheck = new CauseCheck();
  causeCheck.follow(works);
  activity.trace = works;
  const ending = new AbortController();
  const causesOf = attributedCauses(works);
  const watching = store.watch(
    { prefix: "/registry/", from: store.revision },
    (events) => {
      for (const event of events) {
        if (/^\/registry\/(events|leases)\//.test(event.key)) continue;
        const { key, note: { auditId } = {} } = event;
        const found = causesOf(event)?.() ?? [];
        if (causeCheck.truthOf(auditId) !== undefined || found.length > 0) causeCheck.compare({ key, auditId }, found);
      }
    },
    ending.signal,
  );
  const cluster = await startCluster({
    runtime,
    featureGates: clusterFeatureGates(),
    apiServer: { store, limits: { priorityAndFairness: false }, history: { bytes: 32 << 20, works } },
    nodes,
    wrapTransport: (transport) => intercept(transport, [addHeaders(() => ({ "audit-id": causeCheck.tag() }))]),
  });
  await clock.settle();
  return {
    cluster,
    client: cluster.client,
    runtime,
    causeCheck,
    async stop() {
      await cluster.stop();
      ending.abort();
      await watching;
      await store.close();
    },
  };
}
