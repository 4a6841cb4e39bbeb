import { getOwn } from "@coxswain/apimachinery/own";
import type { RestClient } from "@coxswain/client";
import type { KubernetesValue, TimelineEntry } from "../contract/messages.js";
import { pathOf, refTo } from "../contract/paths.js";
import { listObjects } from "./list-objects.js";

const deployments = { group: "apps", version: "v1", resource: "deployments" };
const revisionAnnotation = "deployment.kubernetes.io/revision";

/** The rollouts of Deployments: one for each ReplicaSet that is kept. On any server, without a history. */
export async function readRollouts(rest: RestClient, namespace: string): Promise<TimelineEntry[]> {
  const path = pathOf({ group: "apps", version: "v1", resource: "replicasets", namespace });
  return (await listObjects(rest, path, [["limit", "500"]])).flatMap((set) => rolloutOf(set) ?? []);
}

/** Pure: undefined for a ReplicaSet that no Deployment made. */
export function rolloutOf({ metadata = {}, ...set }: KubernetesValue): TimelineEntry | undefined {
  const owner = metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === "Deployment");
  if (!owner) return undefined;
  const { spec = {}, status = {} } = set as { spec?: KubernetesValue[string]; status?: KubernetesValue[string] };
  const images = (spec.template?.spec?.containers ?? []).map(({ image = "" }: { image?: string }) => image).join(", ");
  const revision = getOwn(metadata.annotations, revisionAnnotation) ?? "?";
  const ready = status.readyReplicas ?? 0;
  const isCurrent = (spec.replicas ?? 0) > 0;
  return {
    at: Date.parse(metadata.creationTimestamp ?? "") || 0,
    source: "rollout",
    kind: "Deployment",
    ref: refTo(deployments, { namespace: metadata.namespace, name: owner.name }),
    name: `${metadata.namespace ?? ""}/${owner.name}`,
    who: "",
    what: `Rollout ${revision} of ${images}${isCurrent ? `: ${ready} of ${spec.replicas} ready` : ", replaced since"}`,
    tone: !isCurrent ? "none" : ready === spec.replicas ? "ok" : "warn",
    revision: "",
  };
}
