import type { Node } from "@coxswain/api/core/v1";
import { formatMicroTime, formatTime } from "@coxswain/apimachinery/time";
import type { TestCluster } from "../controller/test-cluster.test.support.js";
import { nodeIpamController } from "../node-ipam/controller.js";
import { nodeLifecycleController } from "../node-lifecycle/controller.js";
import { taintEvictionController } from "../taint-eviction/controller.js";
import { ttlController } from "../ttl/controller.js";
import type { Scenario } from "./scenario.test.support.js";

const reportReady = ({ client, clock }: TestCluster, name: string) => {
  const now = formatTime(clock.now());
  const condition = { type: "Ready", status: "True", lastHeartbeatTime: now, lastTransitionTime: now } as const;
  return client.core.v1
    .nodes()
    .subresource<Node>("status")
    .patch(name, { merge: { status: { conditions: [condition] } } });
};

const createNode = async (cluster: TestCluster, name: string): Promise<void> => {
  await cluster.client.core.v1.nodes().create({ metadata: { name, labels: { "kubernetes.io/os": "linux" } } });
  await reportReady(cluster, name);
};

const renewLease = async ({ client, clock }: TestCluster, name: string): Promise<void> => {
  const leases = client.coordination.v1.leases("kube-node-lease");
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: formatMicroTime(clock.now()) };
  await leases.patch(name, { merge: { spec } }).catch(() => leases.create({ metadata: { name }, spec }));
};

/** A minute and a half in which node "a" alone is alive. */
async function onlyOneIsAlive(cluster: TestCluster): Promise<void> {
  for (let passed = 0; passed < 90; passed += 10) {
    await renewLease(cluster, "a");
    await cluster.advance(10_000);
  }
}

const createPod = ({ client }: TestCluster, name: string, tolerationSeconds?: number) =>
  client.core.v1.pods("default").create({
    metadata: { name, finalizers: ["example.com/keep"] },
    spec: {
      nodeName: "b",
      containers: [{ name: "c", image: "i" }],
      ...(tolerationSeconds !== undefined && {
        tolerations: [{ key: "gone", operator: "Exists", effect: "NoExecute", tolerationSeconds }],
      }),
    },
  });

export const nodeScenarios: readonly Scenario[] = [
  {
    name: "taints, conditions and pods of a node that falls silent and comes back",
    controllers: [nodeLifecycleController],
    passMs: 0,
    others: onlyOneIsAlive,
    steps: [
      async (cluster) => {
        await createNode(cluster, "a");
        await createNode(cluster, "b");
        for (const name of ["p", "q"]) {
          await createPod(cluster, name);
          await cluster.client.core.v1
            .pods("default")
            .subresource("status")
            .patch(name, {
              merge: { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } },
            });
        }
      },
    ],
  },
  {
    name: "pods that leave a tainted node",
    controllers: [taintEvictionController],
    // A pod that is already being deleted is deleted again by a new process, upstream too.
    same: [[/"observedGeneration":("seen"|\d+),/g, ""]],
    passMs: 15_000,
    steps: [
      async (cluster) => {
        await createNode(cluster, "b");
        await createPod(cluster, "now");
        await createPod(cluster, "later", 10);
        await createPod(cluster, "never", 1_000_000);
      },
      ({ client }) =>
        client.core.v1.nodes().patch("b", { merge: { spec: { taints: [{ key: "gone", effect: "NoExecute" }] } } }),
    ],
  },
  {
    name: "networks of nodes",
    controllers: [nodeIpamController],
    settings: { nodeIpam: { clusterCidrs: ["10.0.0.0/22", "fd00::/62"], serviceCidrs: ["10.0.0.0/24"] } },
    passMs: 20_000,
    // One at a time: which of several gets which network is a matter of chance upstream as well.
    steps: [
      (cluster) => createNode(cluster, "a"),
      (cluster) => createNode(cluster, "b"),
      async (cluster) => {
        await createNode(cluster, "c");
        await cluster.settle();
        await createNode(cluster, "d");
      },
      ({ client }) => client.core.v1.nodes().delete("a"),
    ],
  },
  {
    name: "how long kubelets of nodes may keep objects",
    controllers: [ttlController],
    steps: [
      (cluster) => createNode(cluster, "a"),
      async (cluster) => {
        await createNode(cluster, "b");
        const annotations = { "node.alpha.kubernetes.io/ttl": "x" };
        await cluster.client.core.v1.nodes().patch("a", { merge: { metadata: { annotations } } });
      },
    ],
  },
];
