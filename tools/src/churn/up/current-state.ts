import type { Item } from "../snapshot.js";

/** What counts changes of a template, and what depends on which of equal ones was there first. */
const historicalLabels = ["pod-template-generation"];
const historicalAnnotations = [
  "deployment.kubernetes.io/revision",
  "deployment.kubernetes.io/revision-history",
  "deprecated.daemonset.template.generation",
  "kubernetes.io/change-cause",
  "pv.kubernetes.io/bind-completed",
];

/** Pure: what is there now, without traces of how it came about: no old versions, no events, no counts of changes. */
export const currentState = (items: readonly Item[]): Item[] =>
  items
    .filter((item) => item.kind !== "Event" && item.kind !== "ControllerRevision" && !isOldVersion(item))
    .map((item) => ({
      ...item,
      metadata: {
        ...item.metadata,
        ...(item.metadata.labels && { labels: without(item.metadata.labels, historicalLabels) }),
        ...(item.metadata.annotations && { annotations: without(item.metadata.annotations, historicalAnnotations) }),
      },
      ...(item["status"] !== undefined && { status: currentStatus(item["status"] as Status) }),
    }));

interface Status extends Readonly<Record<string, unknown>> {
  readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
}

/** The message of Progressing names the version with which its reason began, as upstream's does. */
function currentStatus(status: Status): object {
  const { conditions, ...rest } = without(status, ["collisionCount"]) as Status;
  if (!conditions) return rest;
  return {
    ...rest,
    conditions: conditions.map((each) => (each.type === "Progressing" ? without({ ...each }, ["message"]) : each)),
  };
}

/** A ReplicaSet that a Deployment keeps to go back to. */
const isOldVersion = ({ kind, metadata, spec }: Item): boolean =>
  kind === "ReplicaSet" &&
  (spec as { replicas?: number } | undefined)?.replicas === 0 &&
  (metadata.ownerReferences?.length ?? 0) > 0;

const without = <T>(members: Readonly<Record<string, T>>, names: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
