import type { TestCluster } from "../controller/test-cluster.test.support.js";
import { endpointSliceController } from "../endpoint-slice/controller.js";
import { endpointSliceMirroringController } from "../endpoint-slice-mirroring/controller.js";
import { endpointsController } from "../endpoints/controller.js";
import { serviceCidrsController } from "../service-cidrs/controller.js";
import { createServedPods } from "../service-endpoints/service-endpoints.test.support.js";
import type { Scenario } from "./scenario.test.support.js";

const createService = (
  { client }: TestCluster,
  name: string,
  ports: { name?: string; port: number; targetPort: number }[],
) => client.core.v1.services("default").create({ metadata: { name }, spec: { selector: { app: "web" }, ports } });
const createPods = ({ client }: TestCluster, ...numbers: number[]) =>
  createServedPods(
    client,
    numbers.map((n) => ({ name: `p${n}`, ips: [`10.0.0.${n}`] })),
  );
const relabel = ({ client }: TestCluster, pod: string) =>
  client.core.v1.pods("default").patch(pod, { merge: { metadata: { labels: { app: "other" } } } });
const subsets = (...ips: string[]) => [{ addresses: ips.map((ip) => ({ ip })), ports: [{ port: 5432 }] }];

/** Pods come, one goes, and one of two services. */
const servicesWithPods: Scenario["steps"] = [
  async (cluster) => {
    await cluster.client.core.v1
      .nodes()
      .create({ metadata: { name: "n1", labels: { "topology.kubernetes.io/zone": "z" } } });
    await createService(cluster, "web", [{ port: 80, targetPort: 8080 }]);
    await createService(cluster, "admin", [{ port: 81, targetPort: 8081 }]);
  },
  (cluster) => createPods(cluster, 1, 2, 3),
  (cluster) => createPods(cluster, 4, 5),
  (cluster) => relabel(cluster, "p1"),
  ({ client }) => client.core.v1.services("default").delete("admin"),
];

/** What was seen before is kept in memory: a new process takes the oldest change for the last one, upstream's too. */
const triggerTime: NonNullable<Scenario["same"]> = [
  [/,"annotations":\{"endpoints.kubernetes.io\/last-change-trigger-time":"now"\}/g, ""],
];

export const endpointScenarios: readonly Scenario[] = [
  { name: "Endpoints of services", controllers: [endpointsController], same: triggerTime, steps: servicesWithPods },
  {
    name: "EndpointSlices of services",
    controllers: [endpointSliceController],
    // Pods of one step fill one slice: how they are spread over several depends on how many were seen at once.
    settings: { maxEndpointsPerSlice: 100 },
    same: triggerTime,
    // Slices go with their service by the garbage collector, which is not here.
    steps: servicesWithPods,
  },
  {
    name: "mirrored EndpointSlices",
    controllers: [endpointSliceMirroringController],
    // An update takes the prefix of a mirrored slice's name away, upstream's too.
    same: [[/(db|cache)-[0-9a-z]{5}"/g, '$1-*"']],
    steps: [
      async ({ client }) => {
        for (const name of ["db", "cache"]) {
          await client.core.v1.services("default").create({ metadata: { name }, spec: { ports: [{ port: 80 }] } });
          await client.core.v1
            .endpoints("default")
            .create({ metadata: { name }, subsets: [...subsets("192.0.2.1"), ...subsets("2001:db8::1")] });
        }
      },
      ({ client }) =>
        client.core.v1.endpoints("default").patch("db", { merge: { subsets: subsets("192.0.2.1", "192.0.2.2") } }),
      ({ client }) => client.core.v1.endpoints("default").delete("cache"),
    ],
  },
  {
    name: "ranges of service addresses",
    controllers: [serviceCidrsController],
    passMs: 20_000,
    steps: [
      async ({ client }) => {
        for (const [name, range] of [
          ["used", "192.168.7.0/24"],
          ["free", "192.168.8.0/24"],
        ] as const)
          await client.networking.v1.servicecidrs().create({ metadata: { name }, spec: { cidrs: [range] } });
      },
      async ({ client }) => {
        await client.core.v1
          .services("default")
          .create({ metadata: { name: "s" }, spec: { clusterIP: "192.168.7.7", ports: [{ port: 80 }] } });
        for (const name of ["used", "free"]) await client.networking.v1.servicecidrs().delete(name);
      },
    ],
  },
];
