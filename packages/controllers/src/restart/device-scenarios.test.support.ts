import type { Pod } from "@coxswain/api/core/v1";
import type { TestCluster } from "../controller/test-cluster.test.support.js";
import { deviceTaintEvictionController } from "../device-taint-eviction/controller.js";
import { podGroupProtectionController } from "../pod-group-protection/controller.js";
import { resourceClaimController } from "../resource-claim/controller.js";
import { resourcePoolStatusRequestController } from "../resource-pool-status-request/controller.js";
import { storageVersionGarbageCollectorController } from "../storage-version-garbage-collector/controller.js";
import { storageVersionMigratorController } from "../storage-version-migrator/controller.js";
import type { Scenario } from "./scenario.test.support.js";

const containers = [{ name: "c", image: "i", resources: { claims: [{ name: "gpu" }] } }];
const claimSpec = { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu" } }] } };
const result = { request: "r", driver: "d.example.com", pool: "p", device: "gpu" };
const slice = (name: string, taints: { key: string; effect: "NoExecute" }[] = []) => ({
  metadata: { name },
  spec: {
    driver: "d.example.com",
    nodeName: "n1",
    pool: { name: "p", generation: 1, resourceSliceCount: 1 },
    devices: [{ name: "gpu", ...(taints.length > 0 && { taints }) }],
  },
});

/** As the scheduler does it: every claim of a pod gets the device, reserved for its pod. */
async function allocate({ client }: TestCluster): Promise<void> {
  const claims = client.resource.v1.resourceclaims("default");
  const pods = (await client.core.v1.pods("default").list()).items;
  for (const claim of (await claims.list()).items) {
    const { uid, name = "" } =
      pods.find(({ metadata }) => claim.metadata?.ownerReferences?.[0]?.uid === metadata?.uid)?.metadata ?? {};
    if (claim.status?.allocation || uid === undefined || claim.metadata?.deletionTimestamp) continue;
    const metadata = { ...claim.metadata, finalizers: ["resource.kubernetes.io/delete-protection"] };
    const held = await claims.update({ ...claim, metadata });
    const reservedFor = [{ resource: "pods", name, uid }];
    await claims.updateStatus({ ...held, status: { allocation: { devices: { results: [result] } }, reservedFor } });
  }
}

const end = ({ client }: TestCluster, name: string) =>
  client.core.v1
    .pods("default")
    .subresource<Pod>("status")
    .patch(name, { merge: { status: { phase: "Succeeded" } } });

/** Kinds behind gates that are off by default: devices, groups of pods, stored versions. */
export const deviceScenarios: readonly Scenario[] = [
  {
    name: "claims for devices that are made, given back and deleted",
    controllers: [resourceClaimController],
    // The status of an ended pod names claims that are gone.
    same: [[/-(gpu|nic)-[0-9a-z]{5}"/g, '-$1-*"']],
    gates: { DRAWorkloadResourceClaims: false },
    steps: [
      async ({ client }) => {
        await client.resource.v1
          .resourceclaimtemplates("default")
          .create({ metadata: { name: "t" }, spec: { spec: claimSpec } });
        for (const name of ["p", "q"])
          await client.core.v1.pods("default").create({
            metadata: { name },
            spec: {
              nodeName: "n1",
              containers,
              resourceClaims: ["gpu", "nic"].map((entry) => ({ name: entry, resourceClaimTemplateName: "t" })),
            },
          });
      },
      allocate,
      (cluster) => end(cluster, "p"),
    ],
  },
  {
    name: "pods that leave a tainted device",
    controllers: [deviceTaintEvictionController],
    gates: { DRAWorkloadResourceClaims: false, DRADeviceTaintRules: false },
    steps: [
      async ({ client }) => {
        const claims = client.resource.v1.resourceclaims("default");
        await client.resource.v1.resourceslices().create(slice("s"));
        for (const name of ["a", "b"]) {
          const pod = await client.core.v1.pods("default").create({
            metadata: { name, finalizers: ["example.com/keep"] },
            spec: { nodeName: "n1", containers, resourceClaims: [{ name: "gpu", resourceClaimName: name }] },
          });
          const claim = await claims.create({ metadata: { name }, spec: claimSpec });
          const reservedFor = [{ resource: "pods", name, uid: pod.metadata?.uid ?? "" }];
          await claims.updateStatus({
            ...claim,
            status: { allocation: { devices: { results: [result] } }, reservedFor },
          });
        }
      },
      async ({ client }) => {
        const slices = client.resource.v1.resourceslices();
        const { spec } = slice("s", [{ key: "broken", effect: "NoExecute" }]);
        await slices.update({ ...(await slices.get("s")), spec });
      },
    ],
  },
  {
    name: "the status of pools that somebody asked for",
    controllers: [resourcePoolStatusRequestController],
    api: {
      featureGates: new Map([["DRAResourcePoolStatus", "true"]]),
      runtimeConfig: new Map([["resource.k8s.io/v1alpha3", "true"]]),
    },
    steps: [
      async ({ client }) => {
        await client.resource.v1.resourceslices().create(slice("s"));
        for (const name of ["a", "b"])
          await client.resource.v1alpha3
            .resourcepoolstatusrequests()
            .create({ metadata: { name }, spec: { driver: "d.example.com" } });
      },
    ],
  },
  {
    name: "groups of pods that are deleted while they are used",
    controllers: [podGroupProtectionController],
    api: {
      featureGates: new Map([["GenericWorkload", "true"]]),
      runtimeConfig: new Map([["scheduling.k8s.io/v1alpha2", "true"]]),
    },
    steps: [
      async ({ client }) => {
        for (const name of ["g", "h"]) {
          await client.scheduling.v1alpha2.podgroups("default").create({
            metadata: { name, finalizers: ["scheduling.k8s.io/podgroup-protection"] },
            spec: { schedulingPolicy: { basic: {} } },
          });
          await client.core.v1.pods("default").create({
            metadata: { name },
            spec: { containers: [{ name: "c", image: "i" }], schedulingGroup: { podGroupName: name } },
          });
        }
      },
      async ({ client }) => {
        for (const name of ["g", "h"]) await client.scheduling.v1alpha2.podgroups("default").delete(name);
      },
      async (cluster) => {
        for (const name of ["g", "h"]) await end(cluster, name);
      },
    ],
  },
  {
    name: "records of stored versions of servers that are gone",
    controllers: [storageVersionGarbageCollectorController],
    api: {
      featureGates: new Map([["StorageVersionAPI", "true"]]),
      runtimeConfig: new Map([["internal.apiserver.k8s.io/v1alpha1", "true"]]),
    },
    steps: [
      async ({ client }) => {
        const labels = { "apiserver.kubernetes.io/identity": "kube-apiserver" };
        const versions = client.apiserverinternal.v1alpha1.storageversions();
        for (const name of ["a", "b"])
          await client.coordination.v1
            .leases("kube-system")
            .create({ metadata: { name, labels }, spec: { holderIdentity: name } });
        for (const [name, ...servers] of [
          ["apps.deployments", "a", "b"],
          ["apps.replicasets", "a"],
        ] as const) {
          const storageVersions = servers.map((apiServerID) => ({
            apiServerID,
            encodingVersion: "v1",
            decodableVersions: ["v1"],
            servedVersions: ["v1"],
          }));
          const created = await versions.create({ metadata: { name }, spec: {} });
          await versions.updateStatus({ ...created, status: { storageVersions } });
        }
      },
      ({ client }) => client.coordination.v1.leases("kube-system").delete("a"),
    ],
  },
  {
    name: "objects that are stored anew",
    controllers: [storageVersionMigratorController],
    api: {
      featureGates: new Map([["StorageVersionMigrator", "true"]]),
      runtimeConfig: new Map([["storagemigration.k8s.io/v1beta1", "true"]]),
    },
    passMs: 5_000,
    // Which write the migration began with.
    same: [[/"resourceVersion":"\d+"/g, ""]],
    steps: [
      async ({ client }) => {
        for (const name of ["a", "b", "c"])
          await client.core.v1.configmaps("default").create({ metadata: { name }, data: { key: name } });
        await client.storagemigration.v1beta1
          .storageversionmigrations()
          .create({ metadata: { name: "m" }, spec: { resource: { group: "", resource: "configmaps" } } });
      },
    ],
  },
];
