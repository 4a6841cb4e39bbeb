import { join, relative } from "node:path";
import type { Step } from "../steps/step.js";

/** Directories that each machine has for itself: their name in its folder, and where they are bound. /run is in memory. */
const ownDirectories = [
  { name: "var-lib", at: "/var/lib" },
  { name: "var-log", at: "/var/log" },
  { name: "run", at: "/run" },
] as const;

export const machineDirectory = (folder: string, name: (typeof ownDirectories)[number]["name"] | "etc"): string =>
  join(folder, name);

export interface MountFacts {
  /** Of the machine. */
  readonly folder: string;
  /** Directories that programs of the machine need although they may lie in one of its own: where the programs and the cluster's files are. */
  readonly keep: readonly string[];
  /** Where /etc/resolv.conf leads, and what takes its place; undefined: it stays as it is. */
  readonly resolver?: { readonly path: string; readonly own: string } | undefined;
}

/** @param onMachine what runs a command inside of the machine's namespaces */
export function planMounts(
  { folder, keep, resolver }: MountFacts,
  onMachine: (command: readonly string[]) => readonly string[],
): Step[] {
  const run = (...command: string[]): Step => ({ kind: "run", command: onMachine(command) });
  const inside = (path: string): string | undefined => {
    const own = ownDirectories.find(({ at }) => path.startsWith(`${at}/`));
    return own && join(folder, own.name, relative(own.at, path));
  };
  const resolverInside = resolver && inside(resolver.path);
  return [
    { kind: "directory", path: machineDirectory(folder, "etc") },
    ...ownDirectories.map(({ name }): Step => ({ kind: "directory", path: join(folder, name) })),
    ...["cni", "containerd", "kubelet"].map(
      (name): Step => ({ kind: "directory", path: join(machineDirectory(folder, "var-lib"), name) }),
    ),
    run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", machineDirectory(folder, "run")),
    run("mkdir", "-p", join(machineDirectory(folder, "run"), "lock")),
    ...keep.flatMap((path): Step[] => {
      const target = inside(path);
      return target === undefined ? [] : [run("mkdir", "-p", target), run("mount", "--bind", path, target)];
    }),
    ...(resolver === undefined
      ? []
      : resolverInside === undefined
        ? [run("mount", "--bind", resolver.own, resolver.path)]
        : [run("install", "-D", "-m", "644", resolver.own, resolverInside)]),
    ...ownDirectories.map(({ name, at }) => run("mount", "--rbind", join(folder, name), at)),
    // Last, so that these mounts are no copies of each other: volumes that a container mounts must be seen by others (mount propagation).
    run("mount", "--make-rshared", "/"),
  ];
}
