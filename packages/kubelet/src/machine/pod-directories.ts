import { join } from "node:path";

/** Where a kubelet keeps what belongs to pods. */
export interface KubeletPaths {
  /** `--root-dir`: "/var/lib/kubelet". */
  readonly rootDir: string;
  /** `podLogsDir`: "/var/log/pods". */
  readonly podLogsDir: string;
}

/** What belongs to pods, as upstream's does (pkg/kubelet/kubelet_getters.go). */
export const podsDirectory = (rootDir: string): string => join(rootDir, "pods");
export const podDirectory = (rootDir: string, podUid: string): string => join(podsDirectory(rootDir), safeName(podUid));

/** Archives of containers' states, for who asked for them: nothing here removes them. */
export const checkpointsDirectory = (rootDir: string): string => join(rootDir, "checkpoints");

/** `pods/<uid>/containers/<name>`: termination messages of a container. */
export const containerDirectory = (rootDir: string, podUid: string, container: string): string =>
  join(podDirectory(rootDir, podUid), "containers", safeName(container));

export const hostsFile = (rootDir: string, podUid: string): string => join(podDirectory(rootDir, podUid), "etc-hosts");

/** `pods/<uid>/volumes/kubernetes.io~<plugin>/<name>`. */
export const volumeDirectory = (
  rootDir: string,
  { podUid, plugin, name }: { readonly podUid: string; readonly plugin: string; readonly name: string },
): string => join(podDirectory(rootDir, podUid), "volumes", `kubernetes.io~${plugin}`, safeName(name));

/** `pods/<uid>/volume-subpaths/<volume>/<container>/<index>`. */
export const subPathTarget = (
  rootDir: string,
  at: { readonly podUid: string; readonly volume: string; readonly container: string; readonly index: number },
): string =>
  join(
    podDirectory(rootDir, at.podUid),
    "volume-subpaths",
    safeName(at.volume),
    safeName(at.container),
    String(at.index),
  );

/**
 * Names come from the API server, which has checked them; a kubelet that joined somebody else's API server, or that finds
 * directories on its disk, checks again before it makes a path of one. @throws Error
 */
function safeName(name: string): string {
  if (name === "" || name === "." || name === ".." || name.includes("/") || name.includes("\0"))
    throw new Error(`${JSON.stringify(name)} cannot be the name of a directory`);
  return name;
}
