import type { Item } from "../snapshot.js";
import { namespace } from "../workloads.js";

/** Kinds that people write; all others are made by the cluster. */
const written = new Set([
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
  "DaemonSet",
  "Job",
  "Pod",
  "Service",
  "PodDisruptionBudget",
  "PersistentVolumeClaim",
]);
/** What the cluster has decided about them. */
const decided = ["clusterIP", "clusterIPs", "volumeName", "claimRef", "nodeName", "ephemeralContainers"];
/** Labels and annotations that controllers put on what people write. */
const ofControllers = /^(deployment|deprecated|pv)\.|^(batch\.kubernetes\.io\/)?(controller-uid|job-name)$/;

/** Pure: what has to be created in a new cluster for the same end: everything that no controller owns. */
export const specsOf = (items: readonly Item[]): object[] =>
  items
    .filter(
      ({ kind, metadata }) =>
        (kind === "PersistentVolume" || (written.has(kind) && metadata.namespace === namespace)) &&
        (metadata.ownerReferences?.length ?? 0) === 0,
    )
    // Volumes before claims, budgets before pods: what they report in the absence of the others is the same each time.
    .toSorted((a, b) => rank(a.kind) - rank(b.kind))
    .map(({ apiVersion, kind, metadata, spec }) => ({
      apiVersion,
      kind,
      metadata: {
        name: metadata.name,
        ...(metadata.namespace && { namespace: metadata.namespace }),
        labels: written.has(kind) ? unless(metadata.labels, kind) : metadata.labels,
        annotations: unless(metadata.annotations, kind),
      },
      spec: kind === "Job" ? jobSpec(spec) : without(spec, headless(kind, spec)),
    }));

const order = ["PersistentVolume", "PersistentVolumeClaim", "PodDisruptionBudget", "Service", "Pod"];
const rank = (kind: string): number => (order.includes(kind) ? order.indexOf(kind) : order.length);

/** A headless service keeps its clusterIP "None". */
const headless = (kind: string, spec: unknown): readonly string[] =>
  kind === "Service" && (spec as { clusterIP?: string }).clusterIP === "None"
    ? decided.filter((name) => !name.startsWith("clusterIP"))
    : decided;

const unless = (members: Readonly<Record<string, string>> | undefined, kind: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(members ?? {}).filter(([name]) => kind === "ReplicaSet" || !ofControllers.test(name)),
  );

/** The selector and the labels that point to it name the Job's uid, which the next one has not. */
function jobSpec(spec: unknown): object {
  const { template, ...rest } = without(spec, ["selector"]) as {
    template: { metadata?: { labels?: Record<string, string> } };
  };
  return {
    ...rest,
    template: { ...template, metadata: { ...template.metadata, labels: unless(template.metadata?.labels, "Job") } },
  };
}

const without = (spec: unknown, names: readonly string[]): object =>
  Object.fromEntries(Object.entries((spec ?? {}) as object).filter(([name]) => !names.includes(name)));
