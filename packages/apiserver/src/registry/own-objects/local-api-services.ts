import { builtInGroups } from "@coxswain/api/resources";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** A group-version that the server itself serves, with its place among the others. */
export interface LocalGroupVersion extends GroupVersion {
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** Of the kinds that are served; the group of APIServices is none of them. */
export function localGroupVersions(kinds: readonly GroupVersion[]): LocalGroupVersion[] {
  const served = new Set(kinds.map(({ group, version }) => `${group}/${version}`));
  return builtInGroups.flatMap(({ group, priority, versions }) =>
    group === "apiregistration.k8s.io"
      ? []
      : versions
          .filter(({ version }) => served.has(`${group}/${version}`))
          .map((of) => ({ group, version: of.version, groupPriority: priority, versionPriority: of.priority })),
  );
}

/** One APIService for each of them. */
export const localApiServices = (now: number, kinds: readonly GroupVersion[]): KubernetesObject[] =>
  localGroupVersions(kinds).map((of) => apiService(of, formatTime(now)));

function apiService(
  { group, version, groupPriority, versionPriority }: LocalGroupVersion,
  now: string,
): KubernetesObject {
  const available = {
    type: "Available",
    status: "True",
    lastTransitionTime: now,
    reason: "Local",
    message: "Local APIServices are always available",
  };
  return {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: `${version}.${group}`, labels: { "kube-aggregator.kubernetes.io/automanaged": "onstart" } },
    spec: {
      ...(group === "" ? {} : { group }),
      version,
      groupPriorityMinimum: groupPriority,
      versionPriority,
    },
    status: { conditions: [available] },
  } as KubernetesObject;
}
