import type { WorldObject } from "./decision-table.js";

const namespace = "shop";

const pod = (
  name: string,
  nodeName: string,
  spec: object,
  more: { annotations?: Record<string, string>; status?: object } = {},
): WorldObject => ({
  path: `/api/v1/namespaces/${namespace}/pods`,
  object: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...(more.annotations && { annotations: more.annotations }) },
    spec: { ...(nodeName === "" ? {} : { nodeName }), containers: [{ name: "c", image: "i" }], ...spec },
  },
  ...(more.status && { status: more.status }),
});

const volume = (name: string, claim: string | undefined, source: object): WorldObject => ({
  path: "/api/v1/persistentvolumes",
  object: {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      ...(claim === undefined
        ? {}
        : { claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", namespace, name: claim } }),
      ...source,
    },
  },
});

const csi = (driver: string, more: object): object => ({ csi: { driver, volumeHandle: "h", ...more } });
const secretRef = (name: string): object => ({ name, namespace });

/** Pods on two nodes and on none, with everything that a pod can refer to. Namespaces must be there. */
export const nodeWorld: readonly WorldObject[] = [
  pod("plain", "n1", { serviceAccountName: "app" }),
  pod("waiting", "", { serviceAccountName: "later", volumes: [{ name: "v", secret: { secretName: "later" } }] }),
  pod("env", "n1", {
    containers: [
      {
        name: "c",
        image: "i",
        envFrom: [{ secretRef: { name: "s-envfrom" } }, { configMapRef: { name: "c-envfrom" } }],
        env: [
          { name: "A", valueFrom: { secretKeyRef: { name: "s-env", key: "k" } } },
          { name: "B", valueFrom: { configMapKeyRef: { name: "c-env", key: "k" } } },
        ],
      },
    ],
    initContainers: [{ name: "i", image: "i", envFrom: [{ secretRef: { name: "s-init" } }] }],
    imagePullSecrets: [{ name: "s-pull" }],
  }),
  pod("volumes", "n1", {
    volumes: [
      { name: "a", secret: { secretName: "s-vol" } },
      { name: "b", configMap: { name: "c-vol" } },
      { name: "c", projected: { sources: [{ secret: { name: "s-proj" } }, { configMap: { name: "c-proj" } }] } },
      { name: "d", persistentVolumeClaim: { claimName: "data" } },
      { name: "e", csi: { driver: "d.example.com", nodePublishSecretRef: { name: "s-csi" } } },
      { name: "f", cephfs: { monitors: ["m"], secretRef: { name: "s-ceph" } } },
      {
        name: "g",
        ephemeral: {
          volumeClaimTemplate: {
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        },
      },
    ],
  }),
  pod("elsewhere", "n2", {
    serviceAccountName: "app2",
    volumes: [
      { name: "a", secret: { secretName: "s-two" } },
      { name: "d", persistentVolumeClaim: { claimName: "data2" } },
    ],
  }),
  pod("shared", "n2", { volumes: [{ name: "a", secret: { secretName: "s-vol" } }] }),
  pod(
    "mirror",
    "n1",
    { volumes: [{ name: "a", emptyDir: {} }] },
    { annotations: { "kubernetes.io/config.mirror": "x" } },
  ),
  pod(
    "claims",
    "n1",
    {
      resourceClaims: [
        { name: "a", resourceClaimName: "claim-a" },
        { name: "b", resourceClaimTemplateName: "t" },
        { name: "c", resourceClaimTemplateName: "t" },
      ],
    },
    { status: { resourceClaimStatuses: [{ name: "b", resourceClaimName: "claim-b" }] } },
  ),
  volume(
    "pv-data",
    "data",
    csi("d.example.com", {
      nodePublishSecretRef: secretRef("s-pv"),
      controllerPublishSecretRef: secretRef("s-controller"),
      nodeStageSecretRef: secretRef("s-stage"),
    }),
  ),
  volume("pv-data2", "data2", csi("d.example.com", { nodeExpandSecretRef: secretRef("s-expand") })),
  volume("pv-free", undefined, csi("d.example.com", { nodePublishSecretRef: secretRef("s-free") })),
  volume("pv-eph", "volumes-g", csi("d.example.com", {})),
  ...[
    ["va1", "n1"],
    ["va2", "n2"],
  ].map(([name, nodeName]) => ({
    path: "/apis/storage.k8s.io/v1/volumeattachments",
    object: {
      apiVersion: "storage.k8s.io/v1",
      kind: "VolumeAttachment",
      metadata: { name },
      spec: { attacher: "d.example.com", nodeName, source: { persistentVolumeName: "pv-data" } },
    },
  })),
  ...[
    ["slice1", "n1"],
    ["slice2", "n2"],
  ].map(([name, nodeName]) => ({
    path: "/apis/resource.k8s.io/v1/resourceslices",
    object: {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name },
      spec: { driver: "d.example.com", nodeName, pool: { name: nodeName, generation: 1, resourceSliceCount: 1 } },
    },
  })),
];
