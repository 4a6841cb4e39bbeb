import type { Node, Pod, Service, ServiceSpec } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";

export const testStart = Date.UTC(2026, 0, 1);

export interface TestPod {
  readonly name?: string;
  readonly ips?: readonly string[];
  readonly node?: string;
  readonly isReady?: boolean;
  readonly isGoing?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  /** Of its one container, by name. */
  readonly ports?: Readonly<Record<string, number>>;
  readonly phase?: "Running" | "Succeeded";
}

/** A pod that endpoints are made of; on node "n1" and ready unless given otherwise. */
export const servedPod = (pod: TestPod = {}): Pod => ({
  metadata: {
    name: pod.name ?? "p",
    namespace: "default",
    uid: `uid-${pod.name ?? "p"}`,
    labels: { app: "web" },
    ...(pod.isGoing && { deletionTimestamp: formatTime(testStart) }),
  },
  spec: {
    nodeName: pod.node ?? "n1",
    ...(pod.hostname && { hostname: pod.hostname }),
    ...(pod.subdomain && { subdomain: pod.subdomain }),
    containers: [
      {
        name: "c",
        image: "i",
        ports: Object.entries(pod.ports ?? {}).map(([name, containerPort]) => ({
          name,
          containerPort,
          protocol: "TCP",
        })),
      },
    ],
  },
  status: {
    phase: pod.phase ?? "Running",
    podIPs: (pod.ips ?? ["10.0.0.1"]).map((ip) => ({ ip })),
    conditions: [
      {
        type: "Ready",
        status: (pod.isReady ?? true) ? "True" : "False",
        lastTransitionTime: formatTime(testStart),
      },
    ],
  },
});

/** A service on port 80 that selects `app: web`. */
export const testService = (spec: ServiceSpec = {}, labels?: Record<string, string>): Service => ({
  metadata: {
    name: "web",
    namespace: "default",
    uid: "uid-web",
    creationTimestamp: formatTime(testStart),
    ...(labels && { labels }),
  },
  spec: {
    selector: { app: "web" },
    clusterIP: "10.96.0.1",
    ipFamilies: ["IPv4"],
    ports: [{ name: "http", port: 80, targetPort: 8080, protocol: "TCP" }],
    ...spec,
  },
});

export const testNode = (name: string, zone?: string, isReady = true): Node => ({
  metadata: { name, ...(zone && { labels: { "topology.kubernetes.io/zone": zone } }) },
  status: {
    allocatable: { cpu: "1" },
    conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
  },
});

/** Creates nodes and pods with their status, as scheduler and kubelet would. */
export async function createServedPods(client: Client, pods: readonly TestPod[]): Promise<void> {
  for (const pod of pods.map(servedPod)) {
    const { spec, status, metadata } = pod;
    const name = metadata?.name ?? "";
    await client.core.v1.pods("default").create({ metadata: { name, labels: { app: "web" } }, spec: spec as never });
    await client.core.v1
      .pods("default")
      .subresource<Pod>("status")
      .patch(name, {
        merge: { status: { phase: "Running", podIP: status?.podIPs?.[0]?.ip ?? "", ...status } },
      });
  }
}
