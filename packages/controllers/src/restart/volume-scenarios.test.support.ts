import type { PersistentVolume, PersistentVolumeClaim, Pod } from "@coxswain/api/core/v1";
import { attachDetachController } from "../attach-detach/controller.js";
import type { TestCluster } from "../controller/test-cluster.test.support.js";
import { ephemeralVolumeController } from "../ephemeral-volume/controller.js";
import { localPathProvisionerController } from "../local-path/controller.js";
import { provisionerBinding, provisionerRole, standardClass } from "../local-path/objects.js";
import { persistentVolumeBinderController } from "../persistent-volume-binder/controller.js";
import { persistentVolumeClaimProtectionController } from "../persistent-volume-claim-protection/controller.js";
import { persistentVolumeExpanderController } from "../persistent-volume-expander/controller.js";
import { persistentVolumeProtectionController } from "../persistent-volume-protection/controller.js";
import { volumeAttributesClassProtectionController } from "../volume-attributes-class-protection/controller.js";
import { storageClass } from "../volumes/volumes.test.support.js";
import type { Scenario } from "./scenario.test.support.js";

const createVolume = ({ client }: TestCluster, name: string, spec: PersistentVolume["spec"] = {}) =>
  client.core.v1.persistentvolumes().create({
    metadata: { name },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      ...(spec.csi === undefined && spec.flexVolume === undefined && { hostPath: { path: `/tmp/${name}` } }),
      ...spec,
    },
  });
const createClaim = ({ client }: TestCluster, name: string, spec: PersistentVolumeClaim["spec"] = {}) =>
  client.core.v1.persistentvolumeclaims("default").create({
    metadata: { name },
    spec: {
      accessModes: ["ReadWriteOnce"],
      storageClassName: "",
      resources: { requests: { storage: "1Gi" } },
      ...spec,
    },
  });
const sized = (storage: string) => ({ resources: { requests: { storage } } });

/** As the protection controller does it once nobody uses the claim. */
async function removeClaim({ client }: TestCluster, name: string): Promise<void> {
  const claims = client.core.v1.persistentvolumeclaims("default");
  await claims.patch(name, { merge: { metadata: { finalizers: null } } });
  await claims.delete(name);
}

/** As a kubelet does it with the pods that empty volumes. */
async function endPods({ client }: TestCluster): Promise<void> {
  for (const { metadata, status } of (await client.core.v1.pods("default").list()).items)
    if (status?.phase === "Pending")
      await client.core.v1
        .pods("default")
        .subresource<Pod>("status")
        .patch(metadata?.name ?? "", { merge: { status: { phase: "Succeeded" } } });
}

/** As the attacher of a driver does it. */
async function markAttached({ client }: TestCluster): Promise<void> {
  const attachments = client.storage.v1.volumeattachments();
  for (const each of (await attachments.list()).items)
    if (!each.status?.attached) await attachments.updateStatus({ ...each, status: { attached: true } });
}

const bindTo = async (
  cluster: TestCluster,
  volume: string,
  spec: PersistentVolume["spec"],
  claimSpec = {},
): Promise<void> => {
  const claims = cluster.client.core.v1.persistentvolumeclaims("default");
  const claim = await createClaim(cluster, `of-${volume}`, { volumeName: volume, ...claimSpec });
  const { name = "", uid = "" } = claim.metadata ?? {};
  await createVolume(cluster, volume, { claimRef: { namespace: "default", name, uid }, ...spec });
  await claims.updateStatus({ ...claim, status: { phase: "Bound", capacity: { storage: "1Gi" } } });
};

const podWith = ({ client }: TestCluster, name: string, nodeName: string | undefined, ...claims: string[]) =>
  client.core.v1.pods("default").create({
    metadata: { name },
    spec: {
      ...(nodeName && { nodeName }),
      containers: [{ name: "c", image: "i" }],
      volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })),
    },
  });

export const volumeScenarios: readonly Scenario[] = [
  {
    name: "directories of a node that are made, grow, and are deleted or kept",
    controllers: [persistentVolumeBinderController, localPathProvisionerController],
    passMs: 20_000,
    steps: [
      async (cluster) => {
        const { client } = cluster;
        await client.rbac.v1.clusterroles().create(provisionerRole);
        await client.rbac.v1.clusterrolebindings().create(provisionerBinding);
        await client.storage.v1.storageclasses().create(standardClass);
        await client.core.v1.nodes().create({ metadata: { name: "a" } });
        const annotations = { "volume.kubernetes.io/selected-node": "a" };
        for (const name of ["deleted", "kept"])
          await client.core.v1.persistentvolumeclaims("default").create({
            metadata: { name, annotations },
            spec: { accessModes: ["ReadWriteOnce"], ...sized("1Gi") },
          });
      },
      ({ client }) =>
        client.core.v1.persistentvolumeclaims("default").patch("deleted", { merge: { spec: sized("2Gi") } }),
      async ({ client }) => {
        const { spec } = await client.core.v1.persistentvolumeclaims("default").get("kept");
        await client.core.v1
          .persistentvolumes()
          .patch(spec?.volumeName ?? "", { merge: { spec: { persistentVolumeReclaimPolicy: "Retain" } } });
      },
      async (cluster) => {
        for (const name of ["deleted", "kept"]) await removeClaim(cluster, name);
      },
    ],
  },
  {
    name: "claims that are bound, and volumes that are kept, emptied and deleted after them",
    controllers: [persistentVolumeBinderController],
    passMs: 20_000,
    others: endPods,
    // Pods that another process made are not trusted.
    recreated: ["pods"],
    settings: {
      isHostPathProvisioningEnabled: true,
      hostPaths: { create: async () => {}, remove: async () => {} },
    },
    steps: [
      async (cluster) => {
        await createVolume(cluster, "kept", { persistentVolumeReclaimPolicy: "Retain" });
        await createVolume(cluster, "emptied", {
          persistentVolumeReclaimPolicy: "Recycle",
          capacity: { storage: "2Gi" },
        });
        await createVolume(cluster, "deleted", {
          persistentVolumeReclaimPolicy: "Delete",
          capacity: { storage: "3Gi" },
        });
      },
      // Only volumes whose status has become Available are chosen from.
      async (cluster) => {
        for (const size of [1, 2, 3]) await createClaim(cluster, `c${size}`, sized(`${size}Gi`));
      },
      async (cluster) => {
        for (const size of [1, 2, 3]) await removeClaim(cluster, `c${size}`);
      },
    ],
  },
  {
    name: "a volume that is made for a claim, and a claim without a class that gets the default",
    controllers: [persistentVolumeBinderController],
    passMs: 20_000,
    settings: {
      isHostPathProvisioningEnabled: true,
      hostPaths: { create: async () => {}, remove: async () => {} },
    },
    // Each attempt makes a directory of a random name; the volume has that of the last one.
    same: [[/hostpath_pv\/[-0-9a-z ]*/g, "hostpath_pv/*"]],
    steps: [
      async (cluster) => {
        await cluster.client.core.v1.persistentvolumeclaims("default").create({
          metadata: { name: "later" },
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        });
        await cluster.client.storage.v1
          .storageclasses()
          .create(storageClass("dirs", { provisioner: "kubernetes.io/host-path" }));
        await createClaim(cluster, "c", { storageClassName: "dirs" });
      },
      ({ client }) =>
        client.storage.v1.storageclasses().patch("dirs", {
          merge: { metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } } },
        }),
    ],
  },
  {
    name: "a claim that grows",
    controllers: [persistentVolumeExpanderController],
    steps: [
      async (cluster) => {
        await cluster.client.storage.v1
          .storageclasses()
          .create({ metadata: { name: "s" }, provisioner: "example.com", allowVolumeExpansion: true });
        const storageClassName = "s";
        await bindTo(
          cluster,
          "v",
          { storageClassName, flexVolume: { driver: "example.com/flex" } },
          { storageClassName },
        );
      },
      ({ client }) => client.core.v1.persistentvolumeclaims("default").patch("of-v", { merge: { spec: sized("2Gi") } }),
    ],
  },
  {
    name: "claims, volumes and classes that are deleted while they are used",
    controllers: [
      persistentVolumeClaimProtectionController,
      persistentVolumeProtectionController,
      volumeAttributesClassProtectionController,
    ],
    gates: { PersistentVolumeClaimUnusedSinceTime: false },
    steps: [
      async (cluster) => {
        const { client } = cluster;
        for (const name of ["gold", "silver"])
          await client.storage.v1
            .volumeattributesclasses()
            .create({ metadata: { name }, driverName: "example.com", parameters: { iops: "1" } });
        await createClaim(cluster, "used", { storageClassName: "csi", volumeAttributesClassName: "gold" });
        await createClaim(cluster, "free");
        await podWith(cluster, "p", "n1", "used");
        for (const [name, phase] of [
          ["bound", "Bound"],
          ["released", "Released"],
        ] as const)
          await client.core.v1
            .persistentvolumes()
            .updateStatus({ ...(await createVolume(cluster, name)), status: { phase } });
      },
      async ({ client }) => {
        for (const name of ["gold", "silver"]) await client.storage.v1.volumeattributesclasses().delete(name);
        for (const name of ["used", "free"]) await client.core.v1.persistentvolumeclaims("default").delete(name);
        for (const name of ["bound", "released"]) await client.core.v1.persistentvolumes().delete(name);
      },
      ({ client }) => client.core.v1.pods("default").delete("p", { gracePeriodSeconds: 0 }),
    ],
  },
  {
    name: "claims of ephemeral volumes",
    controllers: [ephemeralVolumeController],
    steps: [
      async ({ client }) => {
        const spec = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };
        for (const name of ["p", "q"])
          await client.core.v1.pods("default").create({
            metadata: { name },
            spec: {
              containers: [{ name: "c", image: "i" }],
              volumes: ["data", "logs"].map((volume) => ({
                name: volume,
                ephemeral: { volumeClaimTemplate: { spec } },
              })),
            },
          });
      },
    ],
  },
  {
    name: "volumes that are attached and detached",
    controllers: [attachDetachController],
    others: markAttached,
    steps: [
      async (cluster) => {
        const { client } = cluster;
        for (const name of ["n1", "n2"]) {
          const annotations = { "volumes.kubernetes.io/controller-managed-attach-detach": "true" };
          const node = await client.core.v1.nodes().create({ metadata: { name, annotations } });
          await client.core.v1
            .nodes()
            .updateStatus({ ...node, status: { conditions: [{ type: "Ready", status: "True" }] } });
        }
        for (const volume of ["v1", "v2"])
          await bindTo(cluster, volume, { csi: { driver: "d.example.com", volumeHandle: volume } });
        await podWith(cluster, "p", "n1", "of-v1", "of-v2");
      },
      async (cluster) => {
        await podWith(cluster, "q", "n2", "of-v1");
        await cluster.client.core.v1.pods("default").delete("p", { gracePeriodSeconds: 0 });
      },
    ],
  },
];
