import type { Node, Pod } from "@coxswain/api/core/v1";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createInProcessTransport, startApiServer, type UserInfo } from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { countRequests } from "@coxswain/client/transport";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock, type VirtualClock } from "@coxswain/runtime/clock";
import { type Metrics, noMetrics } from "@coxswain/runtime/metrics";
import { createMemoryStore } from "@coxswain/storage/memory";
import { type StartSchedulerOptions, startScheduler } from "./start-scheduler.js";

/** An API server in this process with a scheduler, on a clock that the test moves. Nothing runs the pods. */
export interface TestCluster {
  /** An administrator's. */
  readonly client: Client;
  readonly clock: VirtualClock;
  /** Creates a node, marks it ready (a new one is tainted until somebody has), and waits until the scheduler knows it. */
  addNode(node: Node): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestCluster({
  metrics = noMetrics,
  ...options
}: Partial<StartSchedulerOptions> & { readonly metrics?: Metrics } = {}): Promise<TestCluster> {
  const activity = createActivity();
  const clock = createVirtualClock({ startMs: Date.UTC(2026, 0, 1), activity });
  const runtime = testRuntime(1, { clock });
  const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
  const server = await startApiServer({
    runtime,
    store,
    // Seats are held for some milliseconds after a write; in time that stands still that would be for ever.
    limits: { priorityAndFairness: false },
    // Nobody makes accounts here.
    admission: { disabled: ["ServiceAccount"] },
  });
  const clientOf = (user: UserInfo): Client =>
    createClient({
      transport: countRequests(createInProcessTransport(server, { user }), runtime.activity),
      runtime,
      onWarning: () => {},
    });
  const scheduler = startScheduler({
    client: clientOf({ name: "system:kube-scheduler", groups: ["system:authenticated"] }),
    gates: createFeatureGates(builtInFeatureGates),
    runtime: { ...runtime, metrics },
    ...options,
  });
  await scheduler.ready;
  const client = clientOf({ name: "admin", groups: ["system:masters"] });
  return {
    client,
    clock,
    async addNode(added) {
      const created = await client.core.v1.nodes().create(added);
      await client.core.v1.nodes().update({ ...created, spec: { ...created.spec, taints: added.spec?.taints ?? [] } });
      // Pods and nodes arrive by different watches: a pod that is seen first finds no node, and is tried again a second later.
      await clock.settle();
    },
    async stop() {
      await scheduler.stop();
      await server.stop();
      await store.close();
    },
  };
}

type Changes<T> = { readonly [K in keyof T]?: T[K] extends object | undefined ? Partial<T[K]> : T[K] };

export const node = (name: string, { metadata, spec, status }: Changes<Node> = {}): Node => ({
  metadata: { name, labels: { "kubernetes.io/hostname": name }, ...metadata },
  spec: { ...spec },
  status: { allocatable: { cpu: "4", memory: "8Gi", pods: "10" }, ...status },
});

export const pod = (name: string, cpu: string, { metadata, spec }: Changes<Pod> = {}): Pod => ({
  metadata: { name, namespace: "default", ...metadata },
  spec: {
    containers: [{ name: "main", image: "registry.k8s.io/pause:3.10", resources: { requests: { cpu } } }],
    terminationGracePeriodSeconds: 0,
    ...spec,
  },
});
