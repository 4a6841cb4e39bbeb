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
