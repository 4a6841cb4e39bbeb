import { connectApi, inParallel } from "../clusters/api.js";
import { startSchedulerCluster } from "../clusters/scheduler-cluster.js";
import type { Row } from "./row.js";

const [nodes, pods] = [5_000, 2_000];

/** As most templates have them, and with the plugins that look at all nodes. */
const kinds = [
  { of: "plain pods", spec: {} },
  {
    of: "spread over zones, one on a node",
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 5,
          topologyKey: "topology.kubernetes.io/zone",
          whenUnsatisfiable: "DoNotSchedule",
          labelSelector: { matchLabels: { app: "spread" } },
        },
      ],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: "kubernetes.io/hostname", labelSelector: { matchLabels: { app: "spread" } } },
          ],
        },
      },
    },
  },
].map(({ of, spec }) => ({
  app: of.split(" ")[0]!,
  spec,
  throughput: `scheduler: ${of}, pods per second on 5,000 nodes`,
  processor: `scheduler: ${of}, its processor time for each`,
}));
const memory = "scheduler: its resident memory with 5,000 nodes and these pods";

/** The schedulers alone: nothing else runs beside kube-apiserver and etcd. From the first create to the last assignment. */
export const schedulerRow: Row = {
  name: "scheduler",
  topic: "scheduler",
  figures: [
    ...kinds.flatMap(({ throughput, processor }) => [
      { what: throughput, unit: "per s", better: "more", budget: 1 } as const,
      { what: processor, unit: "ms", better: "less", budget: 1 } as const,
    ]),
    { what: memory, unit: "MB", better: "less", budget: 1 },
  ],
  async measure({ name, signal }) {
    const cluster = await startSchedulerCluster(name, nodes, signal);
    const api = connectApi(cluster.access, signal);
    const values: [string, number][] = [];
    try {
      const path = "/api/v1/namespaces/default/pods";
      const resources = { requests: { cpu: "100m", memory: "64Mi" } };
      for (const { app, spec, throughput, processor } of kinds) {
        const containers = [{ name: "main", image: "nginx", resources }];
        const [began, used] = [performance.now(), cluster.cpuSeconds()];
        await inParallel(pods, 16, (index) =>
          api.create(path, { metadata: { name: `${app}-${index}`, labels: { app } }, spec: { ...spec, containers } }),
        );
        await api.until<{ items: unknown[] }>(
          `${path}?fieldSelector=spec.nodeName%3D&limit=1`,
          ({ items }) => items.length === 0,
        );
        values.push([throughput, pods / ((performance.now() - began) / 1000)]);
        values.push([processor, ((cluster.cpuSeconds() - used) / pods) * 1000]);
      }
      values.push([memory, (await cluster.residentBytes()) / 1e6]);
      return values;
    } finally {
      api.close();
      await cluster.stop();
    }
  },
};
