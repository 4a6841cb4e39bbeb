import type { MountEntry } from "../machine/mount-table.js";

/** Where control groups are made: cgroup v1 has a tree for each controller (or for some together), v2 has one for all. */
export interface CgroupLayout {
  readonly version: 1 | 2;
  /** The directory of a controller's tree. Of v1 also hierarchies without a controller, by their name (`name=systemd`). */
  readonly controllers: ReadonlyMap<string, string>;
  /** Of a machine with both (hybrid), where pods are limited by v1: the tree of v2. runc makes groups there as well, and removes only containers'. */
  readonly unified?: string;
}

/** Pods cannot be limited on this machine as it is, and what to do about it. */
export class CgroupError extends Error {
  override readonly name = "CgroupError";
}

/** Those that a kubelet of v2 uses. */
const v2Controllers = ["cpu", "cpuset", "memory", "hugetlb", "pids"];
/** Without these a kubelet does not start, as upstream's (pkg/kubelet/cm/container_manager_linux.go, validateSystemRequirements). */
const required = { 1: ["cpu", "cpuacct", "cpuset", "memory"], 2: ["cpu", "cpuset", "memory", "pids"] } as const;
/** Options of a v1 mount that name no controller. */
const notControllers = new Set([
  "rw",
  "ro",
  "relatime",
  "noatime",
  "nosuid",
  "nodev",
  "noexec",
  "xattr",
  "clone_children",
]);

/**
 * Pure: from the mount table and, of v2, the content of the root's `cgroup.controllers`. A machine with both (hybrid) is v1.
 * @throws CgroupError where a controller is missing
 */
export function planLayout(table: readonly MountEntry[], rootControllers: string | undefined): CgroupLayout {
  const controllers = new Map<string, string>();
  for (const { fsType, target, options } of table) {
    if (fsType !== "cgroup") continue;
    for (const name of options) {
      if (notControllers.has(name) || name.startsWith("release_agent=")) continue;
      const known = controllers.get(name);
      // Of two mounts of one tree the shorter path, as upstream chooses (pkg/kubelet/cm/helpers_linux.go, GetCgroupSubsystems).
      if (known === undefined || target.length < known.length) controllers.set(name, target);
    }
  }
  const root = table.find(({ fsType }) => fsType === "cgroup2")?.target;
  if (controllers.size > 0) return checked({ version: 1, controllers, ...(root !== undefined && { unified: root }) });
  if (root === undefined) throw new CgroupError("no control groups are mounted: mount cgroup2 at /sys/fs/cgroup");
  const there = (rootControllers ?? "").split(/\s/);
  return checked({
    version: 2,
    controllers: new Map(v2Controllers.filter((name) => there.includes(name)).map((name) => [name, root])),
  });
}

function checked(layout: CgroupLayout): CgroupLayout {
  const missing = required[layout.version].filter((name) => !layout.controllers.has(name));
  if (missing.length === 0) return layout;
  throw new CgroupError(
    `system validation failed: missing cgroup v${layout.version} controllers: ${missing.join(", ")}`,
  );
}
