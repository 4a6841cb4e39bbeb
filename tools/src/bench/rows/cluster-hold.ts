import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Api, connectApi } from "../clusters/api.js";
import { startOurCluster } from "../clusters/our-cluster.js";
import type { Row } from "./row.js";

export interface HoldSettings {
  readonly nodes: number;
  readonly pods: number;
  /** Of `coxswain up`. */
  readonly upFlags: readonly string[];
}

export const usualHold: HoldSettings = { nodes: 5_000, pods: 50_000, upFlags: [] };

/** A Deployment has at most so many replicas. */
const mostReplicas = 1_000;
/** Until what was done is written and reported. */
const restMs = 30_000;
const watchedMs = 60_000;
const lookMs = 5_000;
/** A cluster that does not get there at all ends the row. */
const limitMs = 30 * 60_000;

/**
 * Ours alone: KWOK and the rest of upstream do not get there on two cores within the bench's time. A node renews its lease every ten
 * seconds; the node lifecycle controller takes it for dead after fifty.
 */
export function clusterHold({ nodes, pods, upFlags }: HoldSettings): Row {
  const deployments = Math.ceil(pods / mostReplicas);
  const replicas = Math.round(pods / deployments);
  const names = namesOf(nodes, deployments * replicas);
  return {
    name: "cluster-hold",
    topic: "clusters",
    figures: [
      { what: names.ready, unit: "ms", better: "less", budget: 600_000, budgetOf: "ours" },
      { what: names.leaseUnderLoad, unit: "ms", better: "less", budget: 40_000, budgetOf: "ours" },
      { what: names.delayUnderLoad, unit: "ms", better: "less", budget: 200, budgetOf: "ours" },
      { what: names.sectionUnderLoad, unit: "ms", better: "less", budget: 500, budgetOf: "ours" },
      { what: names.lease, unit: "ms", better: "less", budget: 20_000, budgetOf: "ours" },
      { what: names.section, unit: "ms", better: "less", budget: 50, budgetOf: "ours" },
      { what: names.nodesReady, unit: "%", better: "more", budget: 99.9, budgetOf: "ours" },
      { what: names.memory, unit: "MB", better: "less", budget: 2_000, budgetOf: "ours" },
    ],
    isLong: true,
    mostMinutes: 60,
    async measure({ name, signal }) {
      if (name === "upstream") return Object.values(names).map((what) => [what, "not yet"] as const);
      const cluster = await startOurCluster(nodes, { probed: true, flags: upFlags });
      const api = connectApi(cluster.access, signal);
      try {
        const began = performance.now();
        for (let index = 0; index < deployments; index++) await create(api, `web-${index}`, replicas);
        const leaseUnderLoadMs = await untilReady(api, deployments * replicas);
        const readyMs = performance.now() - began;
        const underLoad = await cluster.probe();
        await sleep(restMs);
        await cluster.probe();
        const until = performance.now() + watchedMs;
        let oldestMs = 0;
        while (performance.now() < until) {
          oldestMs = Math.max(oldestMs, await oldestLeaseMs(api));
          await sleep(lookMs);
        }
        const atRest = await cluster.probe();
        return new Map([
          [names.ready, readyMs],
          [names.leaseUnderLoad, leaseUnderLoadMs],
          [names.delayUnderLoad, underLoad.delayP999Ms],
          [names.sectionUnderLoad, underLoad.delayMaxMs],
          [names.lease, oldestMs],
          [names.section, atRest.delayMaxMs],
          [names.nodesReady, (100 * (await readyNodes(api))) / nodes],
          [names.memory, (await cluster.residentBytes()) / 1e6],
        ]);
      } finally {
        api.close();
        await cluster.stop();
      }
    },
  };
}

const namesOf = (nodes: number, pods: number) => ({
  ready: `cluster: ${pods.toLocaleString("en")} pods on ${nodes.toLocaleString("en")} nodes until Ready`,
  leaseUnderLoad: "cluster: the oldest lease until they are Ready",
  delayUnderLoad: "cluster: delay of the API server's event loop until then, p99.9",
  sectionUnderLoad: "cluster: longest section of that event loop until then",
  lease: "cluster: the oldest lease beside them, in a minute of rest",
  section: "cluster: longest section of the event loop meanwhile",
  nodesReady: "cluster: nodes that are Ready in the end",
  memory: "cluster: resident memory of all its processes in the end",
});

/** Resolves to the age of the oldest lease meanwhile, in milliseconds. Progress goes to standard error. */
async function untilReady(api: Api, pods: number): Promise<number> {
  const end = performance.now() + limitMs;
  let oldestMs = 0;
  for (;;) {
    const leaseMs = await oldestLeaseMs(api);
    oldestMs = Math.max(oldestMs, leaseMs);
    const ready = await readyReplicas(api);
    process.stderr.write(
      `cluster-hold: ${ready} of ${pods} pods ready, oldest lease ${(leaseMs / 1000).toFixed(0)} s, load ${loadavg()[0]?.toFixed(0)}\n`,
    );
    if (ready === pods) return oldestMs;
    if (performance.now() > end)
      throw new Error(
        `after ${limitMs / 60_000} minutes ${ready} of ${pods} pods are ready; the oldest lease was ${oldestMs} ms old`,
      );
    await sleep(lookMs);
  }
}

const create = (api: Api, name: string, replicas: number): Promise<void> => {
  const labels = { app: name };
  const container = { name: "main", image: "nginx", resources: { requests: { cpu: "10m", memory: "16Mi" } } };
  return api.create("/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
};

async function readyReplicas(api: Api): Promise<number> {
  const { body } = await api.send("GET", "/apis/apps/v1/namespaces/default/deployments");
  const { items } = body as { items: { status?: { readyReplicas?: number } }[] };
  return items.reduce((sum, { status }) => sum + (status?.readyReplicas ?? 0), 0);
}

async function readyNodes(api: Api): Promise<number> {
  const { body } = await api.send("GET", "/api/v1/nodes");
  const { items } = body as { items: { status?: { conditions?: { type: string; status: string }[] } }[] };
  return items.filter(({ status }) =>
    status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True"),
  ).length;
}

/** How long ago the node was renewed that waits longest, by this machine's clock, which is the server's. */
async function oldestLeaseMs(api: Api): Promise<number> {
  const asked = Date.now();
  const { body } = await api.send("GET", "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases");
  const { items } = body as { items: { spec: { renewTime: string } }[] };
  return Math.max(...items.map(({ spec }) => asked - Date.parse(spec.renewTime)));
}
