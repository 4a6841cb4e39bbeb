import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.js";
import { makeNodes } from "./simulated-nodes.js";

export interface Step {
  readonly title: string;
  run(kubectl: Cluster["kubectl"]): Promise<void>;
}

interface Objects {
  items: {
    metadata: { name: string; labels?: Record<string, string>; deletionTimestamp?: string };
    spec: Record<string, unknown>;
    status?: { conditions?: { type: string; status: string }[] };
    endpoints?: unknown[];
  }[];
}

const namespace = "story";
const nodes = 10;
const inStory = `--namespace=${namespace}`;
const timeoutFlag = "--timeout=300s";

/** What a cluster is used for, from its first node to the end of a namespace. Each step ends when the cluster has done it. */
export const story: readonly Step[] = [
  {
    title: `${nodes} nodes become ready`,
    async run(kubectl) {
      await makeNodes(kubectl, nodes);
    },
  },
  {
    title: "a deployment of 100 pods becomes ready, spread over the nodes and behind a service",
    async run(kubectl) {
      await kubectl(["create", "namespace", namespace]);
      await kubectl(
        ["create", "-f", "-"],
        JSON.stringify({ apiVersion: "v1", kind: "List", items: [deployment, service] }),
      );
      await kubectl(["rollout", "status", "deployment/web", inStory, timeoutFlag]);
      await expectPods(kubectl, { count: 100, image: "web:1" });
      await expectEndpoints(kubectl, 100);
    },
  },
  {
    title: "it is rolled to another image",
    async run(kubectl) {
      await kubectl(["set", "image", "deployment/web", "web=web:2", inStory]);
      await kubectl(["rollout", "status", "deployment/web", inStory, timeoutFlag]);
      await expectPods(kubectl, { count: 100, image: "web:2" });
    },
  },
  {
    title: "it is rolled back",
    async run(kubectl) {
      await kubectl(["rollout", "undo", "deployment/web", inStory]);
      await kubectl(["rollout", "status", "deployment/web", inStory, timeoutFlag]);
      await expectPods(kubectl, { count: 100, image: "web:1" });
    },
  },
  { title: "it is scaled to 30 pods", run: (kubectl) => scale(kubectl, 30) },
  { title: "it is scaled to 120 pods", run: (kubectl) => scale(kubectl, 120) },
  {
    title: "it is deleted with its pods",
    async run(kubectl) {
      await kubectl(["delete", "deployment", "web", inStory, "--cascade=foreground", timeoutFlag]);
      await expectPods(kubectl, { count: 0, image: "web:1" });
      await expectEndpoints(kubectl, 0);
    },
  },
  {
    title: "its namespace is deleted",
    run: async (kubectl) => void (await kubectl(["delete", "namespace", namespace, timeoutFlag])),
  },
];

async function scale(kubectl: Cluster["kubectl"], count: number): Promise<void> {
  await kubectl(["scale", "deployment/web", `--replicas=${count}`, inStory]);
  await kubectl(["rollout", "status", "deployment/web", inStory, timeoutFlag]);
  await expectPods(kubectl, { count, image: "web:1" });
  await expectEndpoints(kubectl, count);
}

/** Pods that are being deleted go a moment after the deployment is done with them, so this waits until they are gone. */
async function expectPods(
  kubectl: Cluster["kubectl"],
  { count, image }: { count: number; image: string },
): Promise<void> {
  await eventually(async () => {
    const { items } = JSON.parse(await kubectl(["get", "pods", inStory, "--output=json"])) as Objects;
    if (items.length !== count) return `${items.length} pods instead of ${count}`;
    const unready = items.filter(
      ({ status }) => !status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True"),
    );
    if (unready.length > 0) return `${unready.length} pods that are not ready`;
    const others = items.filter(({ spec }) => (spec["containers"] as { image: string }[])[0]?.image !== image);
    if (others.length > 0) return `${others.length} pods with another image than ${image}`;
    const used = new Set(items.map(({ spec }) => spec["nodeName"])).size;
    return count >= nodes && used !== nodes ? `pods on ${used} of ${nodes} nodes` : undefined;
  });
}

async function expectEndpoints(kubectl: Cluster["kubectl"], count: number): Promise<void> {
  await eventually(async () => {
    const { items } = JSON.parse(
      await kubectl(["get", "endpointslices", inStory, "--selector=kubernetes.io/service-name=web", "--output=json"]),
    ) as Objects;
    const found = items.reduce((sum, { endpoints }) => sum + (endpoints?.length ?? 0), 0);
    return found === count ? undefined : `${found} endpoints instead of ${count}`;
  });
}

/** Asks until there is no problem; after two minutes the problem is an error. */
async function eventually(problem: () => Promise<string | undefined>): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const what = await problem();
    if (what === undefined) return;
    if (Date.now() > deadline) throw new Error(what);
    await sleep(200);
  }
}

const labels = { app: "web" };
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace },
  spec: {
    replicas: 100,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: "web", image: "web:1", resources: { requests: { cpu: "100m", memory: "64Mi" } } }] },
    },
  },
};
const service = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace },
  spec: { selector: labels, ports: [{ port: 80 }] },
};
