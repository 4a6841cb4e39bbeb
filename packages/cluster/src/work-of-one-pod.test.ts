import type { Transport, TransportRequest } from "@coxswain/client/transport";
import { createMetrics } from "@coxswain/component/metrics";
import { testRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { beforeAll, describe, expect, it } from "vitest";
import { clusterFeatureGates } from "./cluster-feature-gates.js";
import { type Cluster, startCluster } from "./start-cluster.js";

/**
 * What a pod costs between the moment when its Deployment is scaled from one to two and the moment when the Deployment's status has it as
 * ready: one request or wake-up more than here is one for each pod of every cluster. Upstream does the same, but for the kubelet, which
 * writes the status twice or three times (pkg/kubelet/status/status_manager.go): here what starts at once is written once.
 */
const requests = [
  { name: "the test scales the Deployment", request: "PATCH deployments", times: 1 },
  { name: "its controller scales the ReplicaSet", request: "PUT replicasets", times: 1 },
  { name: "which creates the pod", request: "POST pods", times: 1 },
  { name: "the scheduler binds it", request: "POST pods/binding", times: 1 },
  { name: "the kubelet reports it as running", request: "PATCH pods/status", times: 1 },
  {
    name: "the ReplicaSet has seen the change, has the pod, has it ready",
    request: "PUT replicasets/status",
    times: 3,
  },
  { name: "the Deployment follows", request: "PUT deployments/status", times: 3 },
  { name: "its Service has the address", request: "PUT endpointslices", times: 1 },
  { name: "and the older form, too", request: "PUT endpoints", times: 1 },
  ...["ScalingReplicaSet", "SuccessfulCreate", "Scheduled", "Pulling", "Pulled", "Created", "Started"].map(
    (reason) => ({
      name: `people read ${reason}`,
      request: `POST events ${reason}`,
      times: 1,
    }),
  ),
];

const wakeUps = [
  {
    name: "the Deployment by its own four changes and the ReplicaSet's",
    series: 'workqueue{name="deployment"}',
    times: 8,
  },
  {
    name: "the ReplicaSet by its own, the pod's three, and once for what it wrote",
    series: 'workqueue{name="replicaset"}',
    times: 8,
  },
  { name: "slices when the pod is bound and when it is ready", series: 'workqueue{name="endpoint_slice"}', times: 2 },
  { name: "endpoints likewise", series: 'workqueue{name="endpoint"}', times: 2 },
  { name: "their mirror once", series: 'workqueue{name="endpoint_slice_mirroring"}', times: 1 },
  {
    name: "the health of nodes when it is bound",
    series: 'workqueue{name="node_lifecycle_controller_pods"}',
    times: 1,
  },
  { name: "taints when it is there and when it is bound", series: 'workqueue{name="noexec_taint_pod"}', times: 2 },
  { name: "one cycle of the scheduler", series: 'scheduled{profile="default-scheduler",result="scheduled"}', times: 1 },
  { name: "one sync that starts the pod", series: 'synced{operation_type="create"}', times: 1 },
  { name: "and one that finds all of it started", series: 'synced{operation_type="sync"}', times: 1 },
];

const metrics = createMetrics();
const sent = new Map<string, number>();
const woken = new Map<string, number>();
let isCounting = false;
let clientsMade = 0;

beforeAll(async () => {
  const runtime = { ...testRuntime(1), metrics };
  const store = createMemoryStore({ runtime, compaction: {} });
  const cluster = await startCluster({
    runtime,
    featureGates: clusterFeatureGates(),
    apiServer: { store, limits: { priorityAndFairness: false } },
    nodes: 1,
    wrapTransport: counted,
  });
  try {
    await scaleFromOneToTwo(cluster, (ms) => runtime.clock.advance(ms));
  } finally {
    await cluster.stop();
    await store.close();
  }
}, 120_000);

describe("one pod more costs these requests", () => {
  for (const { name, request, times } of requests)
    it(name, () => expect([request, sent.get(request)]).toEqual([request, times]));
  it("and no others", () => expect([...sent.keys()].sort()).toEqual(requests.map(({ request }) => request).sort()));
});

it("one pod more is served by the clients that there are: each event of a node had one of its own", () => {
  expect(clientsMade).toBe(0);
});

describe("one pod more wakes", () => {
  for (const { name, series, times } of wakeUps)
    it(name, () => expect([series, woken.get(series)]).toEqual([series, times]));
  it("and nothing else", () => expect([...woken.keys()].sort()).toEqual(wakeUps.map(({ series }) => series).sort()));
});

async function scaleFromOneToTwo({ client }: Cluster, advance: (ms: number) => Promise<void>): Promise<void> {
  const labels = { app: "web" };
  const deployments = client.apps.v1.deployments("default");
  await client.core.v1
    .services("default")
    .create({ metadata: { name: "web" }, spec: { selector: labels, ports: [{ port: 80 }] } });
  await deployments.create({
    metadata: { name: "web" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    },
  });
  await advance(5000);
  const before = readCounts();
  isCounting = true;
  await deployments.patch("web", { merge: { spec: { replicas: 2 } } });
  await advance(3000);
  isCounting = false;
  expect((await deployments.get("web")).status?.readyReplicas).toBe(2);
  for (const [series, count] of readCounts())
    if (count !== before.get(series)) woken.set(series, count - (before.get(series) ?? 0));
}

function counted(transport: Transport): Transport {
  if (isCounting) clientsMade += 1;
  return {
    send(request) {
      const name = nameOf(request);
      if (isCounting) sent.set(name, (sent.get(name) ?? 0) + 1);
      return transport.send(request);
    },
    watch: (request) => transport.watch(request),
    close: () => transport.close(),
  };
}

/** Method, resource and subresource; of an event its reason. Renewals of leases belong to the node. */
function nameOf({ method, path, body }: TransportRequest): string {
  const [resource, , subresource] = path.split("/namespaces/default/")[1]?.split("/") ?? [path];
  const { reason } = (body?.as === "value" ? body.value : {}) as { reason?: string };
  return `${method} ${resource}${subresource ? `/${subresource}` : ""}${resource === "events" ? ` ${reason}` : ""}`;
}

const counters = new Map([
  ["workqueue_work_duration_seconds_count", "workqueue"],
  ["scheduler_schedule_attempts_total", "scheduled"],
  ["kubelet_pod_worker_duration_seconds_count", "synced"],
]);

function readCounts(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, name = "", labels = "", value] of metrics.text().matchAll(/^(\w+)(\{.*\}) (\d+)$/gm)) {
    const short = counters.get(name);
    if (short !== undefined) counts.set(short + labels, Number(value));
  }
  return counts;
}
