import { join } from "node:path";
import { type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";

/** The directory of a pod's logs below the kubelet's (pkg/kubelet/kuberuntime/helpers.go, BuildPodLogsDirectory). */
export const podLogDirectory = (root: string, pod: CachedPod): string =>
  join(root, `${namespaceOf(pod)}_${nameOf(pod)}_${uidOf(pod)}`);

/** The uid of the pod whose logs a directory holds (parsePodUIDFromLogsDirectory there). */
export const uidOfLogDirectory = (name: string): string => name.slice(name.lastIndexOf("_") + 1);

/** The log of one run of a container, below the directory of its pod. */
export const containerLogName = (container: string, attempt: number): string => join(container, `${attempt}.log`);

/** Longest name of a file on ext4. */
const maxNameBytes = 255;

/** The link that log collectors follow, in the directory of links (pkg/kubelet/kuberuntime/legacy.go, logSymlink). */
export function logLinkName(pod: CachedPod, container: string, id: string): string {
  const name = `${nameOf(pod)}_${namespaceOf(pod)}_${container}-${id}`;
  return `${name.slice(0, maxNameBytes - ".log".length)}.log`;
}
