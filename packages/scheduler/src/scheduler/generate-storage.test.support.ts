import type { Node, Pod } from "../pod/objects.js";
import type { Draw } from "./generate-problem.test.support.js";
import type { Problem } from "./problem.test.support.js";

export interface Storage {
  readonly objects: Problem["objects"];
  /** For the pod to be scheduled. */
  volumesFor(pods: readonly Pod[]): object[];
  /** Some of the running pods use claims, too. */
  withVolumes(pods: readonly Pod[]): Pod[];
}

const claimVolume = (name: string): object => ({ name, persistentVolumeClaim: { claimName: name } });

/** Storage classes of all kinds, volumes and claims in all states, and a driver with limits and capacities. */
export function generateStorage(draw: Draw, nodes: readonly Node[]): Storage {
  const nodeNames = nodes.map(({ metadata }) => metadata?.name ?? "");
  const volume = (name: string, size: number, more: { class: string; claim?: string }): object => ({
    metadata: {
      name,
      uid: name,
      labels: draw.chance(40) ? { "topology.kubernetes.io/zone": draw.one(["a", "b", "a__b"]) } : {},
    },
    spec: {
      capacity: { storage: `${size}Gi` },
      accessModes: ["ReadWriteOnce", "ReadWriteOncePod"],
      storageClassName: more.class,
      csi: { driver: "csi.example.com", volumeHandle: name },
      ...(more.claim && { claimRef: { namespace: "default", name: more.claim, uid: more.claim } }),
      ...(draw.chance(60) && {
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  { key: "kubernetes.io/hostname", operator: "In", values: draw.some(nodeNames).concat("elsewhere") },
                ],
              },
            ],
          },
        },
      }),
    },
    status: { phase: more.claim ? "Bound" : "Available" },
  });
  const claim = (name: string, size: number, more: { class: string; volume?: string; mode?: string }): object => ({
    metadata: {
      name,
      namespace: "default",
      uid: name,
      annotations: {
        ...(more.volume && { "pv.kubernetes.io/bind-completed": "yes" }),
        ...(!more.volume && draw.chance(10) && { "volume.kubernetes.io/selected-node": draw.one(nodeNames) }),
      },
    },
    spec: {
      accessModes: [more.mode ?? "ReadWriteOnce"],
      storageClassName: more.class,
      resources: { requests: { storage: `${size}Gi` } },
      ...(more.volume && { volumeName: more.volume }),
    },
    status: { phase: more.volume ? "Bound" : "Pending" },
  });
  const objects = {
    storageClasses: [
      { metadata: { name: "wait" }, provisioner: "csi.example.com", volumeBindingMode: "WaitForFirstConsumer" },
      {
        metadata: { name: "local" },
        provisioner: "kubernetes.io/no-provisioner",
        volumeBindingMode: "WaitForFirstConsumer",
      },
      { metadata: { name: "now" }, provisioner: "csi.example.com", volumeBindingMode: "Immediate" },
      {
        metadata: { name: "zonal" },
        provisioner: "csi.example.com",
        volumeBindingMode: "WaitForFirstConsumer",
        allowedTopologies: [{ matchLabelExpressions: [{ key: "topology.kubernetes.io/zone", values: ["a", "b"] }] }],
      },
    ],
    persistentVolumes: [
      volume("bound-volume", 5, { class: "now", claim: "bound" }),
      volume("once-volume", 6, { class: "now", claim: "once" }),
      volume("local-1", 10, { class: "local" }),
      volume("local-2", 20, { class: "local" }),
      volume("local-3", 30, { class: "local" }),
      volume("wait-1", 11, { class: "wait" }),
    ],
    persistentVolumeClaims: [
      claim("bound", 5, { class: "now", volume: "bound-volume" }),
      claim("once", 6, { class: "now", volume: "once-volume", mode: "ReadWriteOncePod" }),
      claim("lost", 5, { class: "now", volume: "gone" }),
      claim("unbound", 5, { class: "now" }),
      claim("local", 15, { class: "local" }),
      claim("local-too", 8, { class: "local" }),
      claim("wait", 12, { class: "wait" }),
      claim("zonal", 3, { class: "zonal" }),
    ],
    csiDrivers: [{ metadata: { name: "csi.example.com" }, spec: { storageCapacity: draw.chance(50) } }],
    csiStorageCapacities: draw.chance(70)
      ? [
          {
            metadata: { name: "capacity", namespace: "default" },
            storageClassName: "wait",
            nodeTopology: { matchLabels: { "topology.kubernetes.io/zone": "a" } },
            capacity: draw.one(["10Gi", "100Gi"]),
          },
        ]
      : [],
    csiNodes: draw.some(nodeNames).map((name) => ({
      metadata: { name },
      spec: { drivers: [{ name: "csi.example.com", nodeID: name, allocatable: { count: draw.int(0, 2) } }] },
    })),
    volumeAttachments: draw.chance(30)
      ? [
          {
            metadata: { name: "attachment" },
            spec: {
              attacher: "csi.example.com",
              nodeName: draw.one(nodeNames),
              source: { persistentVolumeName: "local-3" },
            },
          },
        ]
      : [],
  };
  const disk = { name: "disk", gcePersistentDisk: { pdName: "disk-1", readOnly: draw.chance(50) } };
  return {
    objects: objects as never,
    volumesFor: () => [
      ...draw.some(["bound", "local", "wait", "zonal"]).map(claimVolume),
      ...(draw.chance(15) ? [claimVolume("once")] : []),
      ...(draw.chance(10) ? [claimVolume("local-too")] : []),
      ...(draw.chance(5) ? [claimVolume(draw.one(["unbound", "lost", "missing"]))] : []),
      ...(draw.chance(10) ? [disk] : []),
    ],
    withVolumes: (pods) =>
      pods.map((pod) => {
        const volumes = [
          ...(draw.chance(15) ? [claimVolume(draw.one(["bound", "once", "wait"]))] : []),
          ...(draw.chance(8) ? [disk] : []),
        ];
        return volumes.length === 0 ? pod : ({ ...pod, spec: { ...pod.spec, volumes } } as Pod);
      }),
  };
}
