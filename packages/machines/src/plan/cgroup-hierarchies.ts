/** Where control groups are mounted on this machine. */
export interface CgroupHierarchies {
  readonly version: 1 | 2;
  /** Of version 1 one per controller, systemd's, and that of version 2 where both are mounted: runtimes use it too. */
  readonly folders: readonly string[];
}

/** @param mounts the text of /proc/mounts. Where both versions are mounted, the controllers are those of version 1. */
export function findHierarchies(mounts: string): CgroupHierarchies {
  const lines = mounts.split("\n").map((line) => line.split(" "));
  const of = (type: string): string[] => lines.flatMap(([, folder, kind]) => (kind === type && folder ? [folder] : []));
  const [first, second] = [of("cgroup"), of("cgroup2").slice(0, 1)];
  return { version: first.length > 0 ? 1 : 2, folders: [...first, ...second] };
}
