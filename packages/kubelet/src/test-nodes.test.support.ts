import type { Container, Pod, PodSpec } from "@coxswain/api/core/v1";
import type { ObjectMeta } from "@coxswain/api/meta/v1";
import {
  type ApiServer,
  type ApiServerOptions,
  createInProcessTransport,
  startApiServer,
  type UserInfo,
} from "@coxswain/apiserver";
import { type Client, createClient } from "@coxswain/client";
import { systemRuntime, type TestRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity, during } from "@coxswain/runtime/activity";
import { createVirtualClock, type VirtualClock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";
import { createMemoryStore } from "@coxswain/storage/memory";
import type { NodeSpec } from "./node/node-spec.js";
import type { NodeSettings, RunningNodes } from "./running-nodes.js";
import { simulatedCidrs } from "./simulated/node-addresses.js";
import { startNodes } from "./start-nodes.js";

/** An API server in this process with simulated nodes, on a clock that the test moves. */
export interface TestNodes {
  /** An administrator's. */
  readonly client: Client;
  readonly nodes: RunningNodes;
  readonly server: ApiServer;
  readonly clock: VirtualClock;
  readonly runtime: TestRuntime;
  settle(): Promise<void>;
  advance(ms: number): Promise<void>;
  /** Creates a pod in `default`, on node-0 unless its spec names another. */
  createPod(name: string, spec?: Partial<PodSpec>, metadata?: ObjectMeta): Promise<Pod>;
  pod(name: string): Promise<Pod>;
  /** Reasons of the events about an object, oldest first; a count where there are more than one. */
  events(name: string): Promise<string[]>;
  stop(): Promise<void>;
}

export const startMs = Date.UTC(2026, 0, 1);

export async function startTestNodes(
  options: {
    nodes?: number | readonly NodeSpec[];
    settings?: NodeSettings;
    server?: Partial<ApiServerOptions>;
    /** Of the nodes. */
    metrics?: Metrics;
  } = {},
): Promise<TestNodes> {
  const activity = createActivity();
  const clock = createVirtualClock({ startMs, activity });
  const runtime = testRuntime(1, { clock });
  const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
  const server = await startApiServer({
    runtime,
    store,
    // Seats are held for some milliseconds after a write; in time that stands still that would be for ever.
    limits: { priorityAndFairness: false },
    admission: { enabled: ["NodeRestriction"], disabled: ["ServiceAccount"] },
    simulatedNetwork: {
      cidrs: Object.values(simulatedCidrs),
      kubeletClient: { name: "kube-apiserver-kubelet-client", groups: ["system:masters", "system:authenticated"] },
    },
    ...options.server,
  });
  const clientOf = (user: UserInfo): Client => {
    const transport = createInProcessTransport(server, { user });
    return createClient({
      transport: {
        send: (request) => during(activity, () => transport.send(request)),
        watch: (request) => during(activity, () => transport.watch(request)),
        close: () => transport.close(),
      },
      runtime,
      onWarning: () => {},
    });
  };
  const client = clientOf({ name: "admin", groups: ["system:masters", "system:authenticated"] });
  const nodes = startNodes({
    client,
    clientFor: (name) => clientOf({ name: `system:node:${name}`, groups: ["system:nodes", "system:authenticated"] }),
    nodes: options.nodes ?? 1,
    runtime: options.metrics ? { ...runtime, metrics: options.metrics } : runtime,
    ...(options.settings && { settings: options.settings }),
  });
  server.connectInside(nodes.connections);
  await nodes.ready;
  const pods = client.core.v1.pods("default");
  return {
    client,
    nodes,
    server,
    clock,
    runtime,
    settle: () => clock.settle(),
    advance: (ms) => clock.advance(ms),
    createPod: (name, spec = {}, metadata = {}) =>
      pods.create({
        metadata: { name, ...metadata },
        spec: { nodeName: "node-0", containers: [container()], ...spec },
      }),
    pod: (name) => pods.get(name),
    async events(name) {
      const { items } = await client.core.v1.events("default").list();
      return items
        .filter(({ involvedObject }) => involvedObject.name === name)
        .map(({ reason = "", count = 1 }) => (count > 1 ? `${reason} x${count}` : reason));
    },
    async stop() {
      await nodes.stop();
      await server.stop();
      await store.close();
    },
  };
}

export const container = (fields: Partial<Container> = {}): Container => ({ name: "main", image: "app:1", ...fields });
