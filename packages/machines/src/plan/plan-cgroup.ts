import { join } from "node:path";
import type { Step } from "../steps/step.js";
import type { CgroupHierarchies } from "./cgroup-hierarchies.js";

export interface CgroupPlan {
  readonly hierarchies: CgroupHierarchies;
  /** Below the root of each hierarchy. */
  readonly path: string;
  /** Whether it is taken back by itself, and not with a group above it. */
  readonly isTop: boolean;
}

/** A control group in every hierarchy. Under version 1 no process enters a cpuset without processors and memory nodes. */
export const planCgroup = ({ hierarchies, path, isTop }: CgroupPlan): Step[] =>
  hierarchies.folders.flatMap((hierarchy): Step[] => {
    const group = join(hierarchy, path);
    const made: Step = { kind: "directory", path: group, ...(isTop && { undo: { kind: "cgroup", path: group } }) };
    if (!/\/cpuset\b/.test(hierarchy)) return [made];
    const copies = ["cpuset.cpus", "cpuset.mems"].map(
      (file): Step => ({ kind: "copy", from: join(group, "..", file), to: join(group, file) }),
    );
    return [made, ...copies];
  });

/**
 * The file by which programs of a machine enter a group, in the hierarchy that is taken back first: programs that start others must
 * end before those.
 */
export const processesFile = ({ folders }: CgroupHierarchies, path: string): string =>
  join(folders.at(-1) ?? "/sys/fs/cgroup", path, "cgroup.procs");

/** The command as a process of a control group, from its first instruction on: when its starter is killed, it is found there. */
export const inCgroup = (file: string, command: readonly string[]): readonly string[] => [
  "sh",
  "-c",
  'echo 0 > "$0" && exec "$@"',
  file,
  ...command,
];
