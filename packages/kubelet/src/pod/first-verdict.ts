import type { CachedPod } from "../objects/cached-pod.js";
import type { ContainerRecord } from "../runtime/container-runtime.js";
import type { ProbeVerdict } from "./action-facts.js";

export type ProbeKind = "startup" | "liveness" | "readiness";

/**
 * Pure: what holds of a run before a probe of this process has asked. A status that reports the run was written by an
 * earlier process, and is kept until a probe has another result: a restart of the kubelet makes no pod unready.
 */
export function firstVerdict(pod: CachedPod, record: ContainerRecord, kind: ProbeKind): ProbeVerdict {
  if (kind === "liveness") return "success";
  const { containerStatuses = [], initContainerStatuses = [] } = pod.status ?? {};
  const reported = [...containerStatuses, ...initContainerStatuses].find(
    ({ name, containerID }) => name === record.name && containerID?.split("://")[1] === record.id,
  );
  if (kind === "startup") return reported?.started ? "success" : "unknown";
  return reported?.ready ? "success" : "failure";
}
