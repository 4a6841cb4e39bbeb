import { builtInGroups } from "@coxswain/api/resources";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatTime } from "@coxswain/apimachinery/time";

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** One APIService for each group-version that the server itself serves; the group of APIServices has none. */
export function localApiServices(now: number, kinds: readonly GroupVersion[]): KubernetesObject[] {
  const served = new Set(kinds.map(({ group, version }) => `${group}/${version}`));
  return builtInGroups.flatMap(({ group, priority, versions }) =>
    group === "apiregistration.k8s.io"
      ? []
      : versions
          .filter(({ version }) => served.has(`${group}/${version}`))
          .map((of) => apiService(group, of.version, { group: priority, version: of.priority }, formatTime(now))),
  );
}

function apiService(
  group: string,
  version: string,
  priority: { group: number; version: number },
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
      groupPriorityMinimum: priority.group,
      versionPriority: priority.version,
    },
    status: { conditions: [available] },
  } as KubernetesObject;
}
