import type { Workload } from "./operations.js";

export const namespace = "churn";

const container = (version: number) => ({
  name: "main",
  image: `example.com/churn:${version}`,
  resources: { requests: { cpu: "10m", memory: "16Mi" } },
});

/** Pods that go at once when they are deleted: nobody waits for a simulated kubelet. */
const template = (name: string, version: number, rest: object = {}) => ({
  metadata: { labels: { app: name } },
  spec: { terminationGracePeriodSeconds: 1, containers: [container(version)], ...rest },
});

/** The objects that `create` of a workload makes. */
export function manifestsOf({ kind, name }: Workload, replicas: number): object[] {
  const metadata = { name, namespace, labels: { app: name } };
  const selector = { matchLabels: { app: name } };
  switch (kind) {
    case "deployment":
      // The budget before its pods: its status in their absence does not depend on who is faster.
      return [
        { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata, spec: { minAvailable: 1, selector } },
        { apiVersion: "v1", kind: "Service", metadata, spec: { selector: { app: name }, ports: [{ port: 80 }] } },
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata,
          spec: { replicas, selector, template: template(name, 1) },
        },
      ];
    case "replicaset":
      return [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          metadata,
          spec: { replicas, selector, template: template(name, 1) },
        },
      ];
    case "replicationcontroller":
      return [
        {
          apiVersion: "v1",
          kind: "ReplicationController",
          metadata,
          spec: { replicas, selector: { app: name }, template: template(name, 1) },
        },
      ];
    case "statefulset":
      return [
        { apiVersion: "v1", kind: "Service", metadata, spec: { clusterIP: "None", selector: { app: name } } },
        {
          apiVersion: "apps/v1",
          kind: "StatefulSet",
          metadata,
          spec: {
            replicas: Math.min(replicas, 3),
            serviceName: name,
            selector,
            podManagementPolicy: replicas % 2 === 0 ? "Parallel" : "OrderedReady",
            template: template(name, 1),
            volumeClaimTemplates: [
              {
                metadata: { name: "data" },
                spec: {
                  accessModes: ["ReadWriteOnce"],
                  storageClassName: "",
                  resources: { requests: { storage: "1Gi" } },
                },
              },
            ],
          },
        },
      ];
    case "daemonset":
      return [{ apiVersion: "apps/v1", kind: "DaemonSet", metadata, spec: { selector, template: template(name, 1) } }];
    case "job":
      return [
        {
          apiVersion: "batch/v1",
          kind: "Job",
          metadata,
          spec: { completions: replicas, parallelism: 2, template: template(name, 1, { restartPolicy: "Never" }) },
        },
      ];
  }
}

/** For the claims of stateful sets. */
export const volumes = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `volume-${index}` },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      persistentVolumeReclaimPolicy: "Retain",
      hostPath: { path: `/tmp/churn/${index}` },
    },
  }));

export const versionImage = (version: number): string => container(version).image;
