import { randomInt, type SeededRandom } from "@coxswain/runtime/random";
import type { Node, Pod } from "../pod/objects.js";
import { generateDevices } from "./generate-devices.test.support.js";
import { generateStorage } from "./generate-storage.test.support.js";
import type { Problem } from "./problem.test.support.js";

type Spec = NonNullable<Pod["spec"]>;
type Selector = { matchLabels?: Record<string, string>; matchExpressions?: never[] };

/** Draws from a source; every call is one more draw. */
export interface Draw {
  chance(percent: number): boolean;
  int(from: number, to: number): number;
  one<T>(of: readonly T[]): T;
  some<T>(of: readonly T[]): T[];
}

export const drawFrom = (random: SeededRandom): Draw => {
  const draw: Draw = {
    chance: (percent) => random.next() * 100 < percent,
    int: (from, to) => from + randomInt(to - from + 1, random),
    one: (of) => of[randomInt(of.length, random)] as (typeof of)[number],
    some: (of) => of.filter(() => draw.chance(40)),
  };
  return draw;
};

const zones = ["a", "b", "c"];
const apps = ["web", "db", "cache"];
const images = [
  { name: "registry.example/big:v1", size: 900_000_000 },
  { name: "registry.example/small:latest", size: 50_000_000 },
];
const taints = [
  { key: "dedicated", value: "gpu", effect: "NoSchedule" },
  { key: "flaky", effect: "PreferNoSchedule" },
  { key: "draining", value: "yes", effect: "NoExecute" },
] as const;

/** A cluster of some nodes and pods, and one pod that asks for a few of the things that pods ask for. */
export function generateProblem(random: SeededRandom): Problem {
  const draw = drawFrom(random);
  const nodes = Array.from({ length: draw.int(2, 12) }, (_, at) => generateNode(draw, `node-${at}`));
  const storage = draw.chance(35) ? generateStorage(draw, nodes) : undefined;
  const devices = draw.chance(25) ? generateDevices(draw, nodes) : undefined;
  const pods = Array.from({ length: draw.int(0, 30) }, (_, at) =>
    runningPod(draw, `running-${at}`, { at, nodeName: draw.one(nodes).metadata?.name ?? "" }),
  );
  const pod = generatePod(draw, "incoming", true);
  const volumes = storage ? storage.volumesFor(pods) : [];
  return {
    nodes,
    pods: storage ? storage.withVolumes(pods) : pods,
    pod: {
      ...pod,
      spec: {
        ...pod.spec,
        ...(volumes.length > 0 && { volumes }),
        ...(devices && { resourceClaims: devices.resourceClaims }),
        ...(draw.chance(50) && { priority: draw.one([0, 10, 100]) }),
        ...(draw.chance(5) && { preemptionPolicy: "Never" }),
      } as Spec,
    },
    objects: {
      namespaces: [
        { metadata: { name: "default", labels: { team: "one" } } },
        { metadata: { name: "other", labels: { team: "two" } } },
      ],
      ...(draw.chance(40) && {
        services: [{ metadata: { name: "web", namespace: "default" }, spec: { selector: { app: "web" } } }] as never,
      }),
      ...(draw.chance(40) && {
        replicaSets: [
          {
            metadata: { name: "owner", namespace: "default" },
            spec: { selector: { matchLabels: { app: draw.one(apps) } }, template: {} },
          },
        ] as never,
      }),
      podDisruptionBudgets: draw.chance(40) ? [budget(draw)] : [],
      ...storage?.objects,
      ...devices?.objects,
    },
    config: "",
  };
}

function budget(draw: Draw): never {
  return {
    metadata: { name: "budget", namespace: "default" },
    spec: { selector: { matchLabels: { app: draw.one(apps) } } },
    status: { disruptionsAllowed: draw.int(0, 2), currentHealthy: 3, desiredHealthy: 1, expectedPods: 3 },
  } as never;
}

function generateNode(draw: Draw, name: string): Node {
  const zone = draw.one(zones);
  const own = draw.some(taints);
  return {
    metadata: {
      name,
      uid: name,
      labels: {
        "kubernetes.io/hostname": name,
        ...(draw.chance(85) && { "topology.kubernetes.io/zone": zone, "topology.kubernetes.io/region": "r" }),
        ...(draw.chance(50) && { disk: draw.one(["ssd", "hdd"]) }),
        ...(draw.chance(30) && { rank: String(draw.int(1, 9)) }),
      },
    },
    spec: {
      ...(draw.chance(25) && { taints: own }),
      ...(draw.chance(5) && { unschedulable: true }),
    } as NonNullable<Node["spec"]>,
    status: {
      allocatable: {
        cpu: draw.one(["2", "4", "3500m"]),
        memory: draw.one(["4Gi", "8Gi", "6000M"]),
        pods: draw.one(["4", "10", "110"]),
        "ephemeral-storage": "20Gi",
        ...(draw.chance(30) && { "example.com/gpu": String(draw.int(1, 3)) }),
        ...(draw.chance(20) && { "hugepages-2Mi": "64Mi" }),
      },
      ...(draw.chance(40) && {
        images: draw.some(images).map((image) => ({ names: [image.name], sizeBytes: image.size })),
      }),
      ...(draw.chance(10) && { declaredFeatures: ["UserNamespacesHostNetworkSupport"] }),
    } as NonNullable<Node["status"]>,
  };
}

function runningPod(draw: Draw, name: string, { at, nodeName }: { at: number; nodeName: string }): Pod {
  const pod = generatePod(draw, name, false);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      ...(draw.chance(5) && {
        deletionTimestamp: "2026-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 30,
        finalizers: ["example.com/hold"],
      }),
    },
    spec: { ...pod.spec, nodeName, priority: draw.one([-5, 0, 0, 10, 50]) } as Spec,
    // All different, so that which of two pods runs for longer is never a matter of chance.
    status: {
      phase: "Running",
      startTime: `2025-12-0${1 + (at % 9)}T00:00:${String(at).padStart(2, "0")}Z`,
    } as NonNullable<Pod["status"]>,
  };
}

function generatePod(draw: Draw, name: string, incoming: boolean): Pod {
  const app = draw.one(apps);
  const namespace = draw.chance(80) ? "default" : "other";
  const often = incoming ? 1 : 0.4;
  return {
    metadata: {
      name,
      namespace,
      uid: name,
      labels: { app, ...(draw.chance(30) && { tier: draw.one(["front", "back"]) }) },
      ...(draw.chance(30) && {
        ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "owner", uid: "owner", controller: true }],
      }),
    },
    spec: {
      schedulerName: "default-scheduler",
      containers: Array.from({ length: draw.int(1, 2) }, (_, at) => container(draw, `c${at}`, incoming)),
      ...(draw.chance(20) && {
        initContainers: [{ ...container(draw, "init", incoming), ...(draw.chance(50) && { restartPolicy: "Always" }) }],
      }),
      ...(draw.chance(5) && { overhead: { cpu: "50m" } }),
      ...(draw.chance(8) && { resources: { requests: { cpu: "1", memory: "1Gi" } } }),
      ...(draw.chance(30 * often) && { tolerations: tolerations(draw) }),
      ...(draw.chance(20 * often) && { nodeSelector: { disk: draw.one(["ssd", "hdd"]) } }),
      ...(draw.chance(55 * often) && { affinity: affinity(draw) }),
      ...(draw.chance(35 * often) && { topologySpreadConstraints: spreads(draw) }),
      ...(draw.chance(3) && { hostNetwork: true, hostUsers: false }),
    } as unknown as Spec,
  };
}

function container(draw: Draw, name: string, incoming: boolean): object {
  return {
    name,
    image: draw.one([...images.map((image) => image.name), "registry.example/small", "none:v1"]),
    ...(draw.chance(85) && {
      resources: {
        requests: {
          ...(draw.chance(80) && { cpu: draw.one(["100m", "500m", "1", incoming ? "3" : "250m"]) }),
          ...(draw.chance(70) && { memory: draw.one(["128Mi", "1Gi", "2G"]) }),
          ...(draw.chance(10) && { "ephemeral-storage": "1Gi" }),
          ...(draw.chance(10) && { "example.com/gpu": "1" }),
        },
      },
    }),
    ...(draw.chance(15) && {
      ports: [{ containerPort: 80, hostPort: draw.one([8080, 9090]), ...(draw.chance(30) && { hostIP: "127.0.0.1" }) }],
    }),
  };
}

const tolerations = (draw: Draw): object[] =>
  draw.one([
    [{ operator: "Exists" }],
    [{ key: "dedicated", operator: "Equal", value: "gpu", effect: "NoSchedule" }],
    [
      { key: "flaky", operator: "Exists" },
      { key: "draining", value: "yes" },
    ],
  ]);

const selector = (draw: Draw): Selector | object =>
  draw.one([
    { matchLabels: { app: draw.one(apps) } },
    { matchExpressions: [{ key: "tier", operator: draw.one(["Exists", "DoesNotExist"]) }] },
    { matchExpressions: [{ key: "app", operator: "NotIn", values: [draw.one(apps)] }] },
    {},
  ]);

const podTerm = (draw: Draw): object => ({
  labelSelector: selector(draw),
  topologyKey: draw.one(["kubernetes.io/hostname", "topology.kubernetes.io/zone", "disk"]),
  ...(draw.chance(20) && { namespaces: ["other"] }),
  ...(draw.chance(20) && { namespaceSelector: draw.one([{}, { matchLabels: { team: "two" } }]) }),
});

function affinity(draw: Draw): object {
  const expression = (): object =>
    draw.one([
      { key: "disk", operator: "In", values: ["ssd"] },
      { key: "rank", operator: "Gt", values: ["4"] },
      { key: "topology.kubernetes.io/zone", operator: "NotIn", values: [draw.one(zones)] },
    ]);
  return {
    ...(draw.chance(40) && {
      nodeAffinity: {
        ...(draw.chance(50) && {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              draw.chance(15)
                ? { matchFields: [{ key: "metadata.name", operator: "In", values: [`node-${draw.int(0, 5)}`] }] }
                : { matchExpressions: [expression()] },
            ],
          },
        }),
        ...(draw.chance(60) && {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: draw.int(1, 100), preference: { matchExpressions: [expression()] } },
          ],
        }),
      },
    }),
    ...(draw.chance(40) && {
      podAffinity: {
        ...(draw.chance(50) && { requiredDuringSchedulingIgnoredDuringExecution: [podTerm(draw)] }),
        ...(draw.chance(60) && {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: draw.int(1, 100), podAffinityTerm: podTerm(draw) },
          ],
        }),
      },
    }),
    ...(draw.chance(45) && {
      podAntiAffinity: {
        ...(draw.chance(55) && { requiredDuringSchedulingIgnoredDuringExecution: [podTerm(draw)] }),
        ...(draw.chance(60) && {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: draw.int(1, 100), podAffinityTerm: podTerm(draw) },
          ],
        }),
      },
    }),
  };
}

const spreads = (draw: Draw): object[] =>
  Array.from({ length: draw.int(1, 2) }, (_, at) => ({
    maxSkew: draw.int(1, 3),
    topologyKey: at === 0 ? "topology.kubernetes.io/zone" : "kubernetes.io/hostname",
    whenUnsatisfiable: draw.one(["DoNotSchedule", "ScheduleAnyway"]),
    labelSelector: selector(draw),
    ...(draw.chance(20) && { nodeTaintsPolicy: "Honor" }),
    ...(draw.chance(20) && { nodeAffinityPolicy: "Ignore" }),
    ...(draw.chance(20) && { matchLabelKeys: ["tier"] }),
  }));
