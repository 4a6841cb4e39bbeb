import { type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";

/** Where a kubelet keeps what belongs to pods. */
export interface KubeletPaths {
  /** `--root-dir`: "/var/lib/kubelet". */
  readonly rootDir: string;
  /** `podLogsDir`: "/var/log/pods". */
  readonly podLogsDir: string;
}

/** Upstream's `pkg/kubelet/kubelet_getters.go`. */
export const podDirectory = ({ rootDir }: KubeletPaths, uid: string): string => `${rootDir}/pods/${uid}`;

/** Termination messages of a container. */
export const containerDirectory = (paths: KubeletPaths, uid: string, container: string): string =>
  `${podDirectory(paths, uid)}/containers/${container}`;

export const hostsFile = (paths: KubeletPaths, uid: string): string => `${podDirectory(paths, uid)}/etc-hosts`;

/** Upstream's `pkg/kubelet/kuberuntime/helpers.go`, `BuildPodLogsDirectory`. */
export const podLogDirectory = ({ podLogsDir }: KubeletPaths, pod: CachedPod): string =>
  `${podLogsDir}/${namespaceOf(pod)}_${nameOf(pod)}_${uidOf(pod)}`;

/** Below the pod's directory of logs. */
export const containerLogPath = (container: string, attempt: number): string => `${container}/${attempt}.log`;

/** The pod of a directory of logs; the inverse of `podLogDirectory`. */
export const uidOfLogDirectory = (name: string): string => name.slice(name.lastIndexOf("_") + 1);
