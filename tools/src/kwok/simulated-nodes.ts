import type { Cluster } from "./cluster.js";

/** Makes nodes for KWOK to look after, and waits until they are ready. */
export async function makeNodes(kubectl: Cluster["kubectl"], count: number): Promise<void> {
  const items = Array.from({ length: count }, (_, index) => simulatedNode(index));
  await kubectl(["create", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  await kubectl(["wait", "--for=condition=Ready", "nodes", "--all", "--timeout=300s"]);
}

const room = { cpu: "32", memory: "256Gi", pods: "110" };

export const nodeName = (index: number): string => `kwok-${index}`;

export const simulatedNode = (index: number) => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: {
    name: nodeName(index),
    labels: {
      "kubernetes.io/hostname": nodeName(index),
      "kubernetes.io/os": "linux",
      "kubernetes.io/arch": "amd64",
      "topology.kubernetes.io/zone": `zone-${index}`,
    },
  },
  // Pods have the address of their node in their status, so it must have one. Nobody connects to it.
  status: {
    allocatable: room,
    capacity: room,
    addresses: [
      { type: "InternalIP", address: `10.250.0.${index + 1}` },
      { type: "Hostname", address: nodeName(index) },
    ],
  },
});
