import { join } from "node:path";
import { networks, nodeAddress, nodeName } from "./addresses.js";
import type { CgroupHierarchies } from "./cgroup-hierarchies.js";
import type { Step } from "./step.js";

/** One of the machines that share this one: namespaces of its own for network, mounts and host name. */
export interface MachineFacts {
  /** From 1. */
  readonly index: number;
  /** Its own directories are made here. */
  readonly folder: string;
  /** Of the process that holds its namespaces. */
  readonly holder: number;
  /** Of all its pods: the name of a group at the root of each hierarchy. */
  readonly cgroup: string;
  readonly hierarchies: CgroupHierarchies;
}

/** How a command is run on the machine. Never `ip netns exec`: it mounts /sys anew and hides the control groups. */
export const onMachine = (holder: number, command: readonly string[]): readonly string[] => [
  "nsenter",
  `--target=${holder}`,
  "--net",
  "--mount",
  "--uts",
  "--",
  ...command,
];

/** Holds a machine's namespaces; prints a line when they are there. */
export const planHolder = (): readonly string[] => [
  "unshare",
  "--net",
  "--mount",
  "--uts",
  "--propagation=private",
  "sh",
  "-c",
  "echo held; exec sleep infinity",
];

/** Directories that each machine has for itself, and where they are bound. */
const ownDirectories = { "var-lib": "/var/lib", "var-log": "/var/log" } as const;
export const machineDirectory = (folder: string, name: keyof typeof ownDirectories | "etc"): string =>
  join(folder, name);

/** From the fresh namespaces to a machine that a container runtime and a kubelet find as they find any other. */
export const planMachine = (facts: MachineFacts): readonly Step[] => [
  ...planCgroups(facts),
  ...planMounts(facts.folder, nodeName(facts.index), (command) => onMachine(facts.holder, command)),
  ...planNetwork(facts),
];

/** The same for the namespaces that this process is in: one machine without neighbours, for tests. */
export const planOwnMachine = (facts: Pick<MachineFacts, "folder" | "cgroup" | "hierarchies">): readonly Step[] => [
  ...planCgroups(facts),
  { kind: "run", command: ["ip", "link", "set", "lo", "up"] },
  ...planMounts(facts.folder, undefined, (command) => command),
  { kind: "run", command: ["sysctl", "-qw", "net.ipv4.ip_forward=1", "net.bridge.bridge-nf-call-iptables=1"] },
];

/** The kubelet's `cgroupRoot` must be there, and under version 1 no process enters a cpuset without processors and memory nodes. */
function planCgroups({ hierarchies, cgroup }: Pick<MachineFacts, "hierarchies" | "cgroup">): Step[] {
  return hierarchies.folders.flatMap((hierarchy): Step[] => {
    const path = join(hierarchy, cgroup);
    const made: Step = { kind: "directory", path, undo: { kind: "cgroup", path } };
    if (!/\/cpuset\b/.test(hierarchy)) return [made];
    const copies = ["cpuset.cpus", "cpuset.mems"].map(
      (file): Step => ({ kind: "copy", from: join(hierarchy, file), to: join(path, file) }),
    );
    return [made, ...copies];
  });
}

function planMounts(
  folder: string,
  hostname: string | undefined,
  wrap: (command: readonly string[]) => readonly string[],
): Step[] {
  const run = (...command: string[]): Step => ({ kind: "run", command: wrap(command) });
  return [
    { kind: "directory", path: machineDirectory(folder, "etc") },
    ...Object.keys(ownDirectories).map((name): Step => ({ kind: "directory", path: join(folder, name) })),
    ...["cni", "containerd", "kubelet"].map(
      (name): Step => ({ kind: "directory", path: join(machineDirectory(folder, "var-lib"), name) }),
    ),
    ...(hostname === undefined ? [] : [run("hostname", hostname)]),
    // Volumes that a container mounts must be seen by others (mount propagation).
    run("mount", "--make-rshared", "/"),
    ...Object.entries(ownDirectories).map(([name, target]) => run("mount", "--bind", join(folder, name), target)),
    run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run"),
    run("mkdir", "/run/lock"),
  ];
}

function planNetwork({ holder, index }: MachineFacts): Step[] {
  const here = (...command: string[]): Step => ({ kind: "run", command });
  const run = (...command: string[]): Step => ({ kind: "run", command: onMachine(holder, command) });
  const link = `v${nodeName(index)}`;
  return [
    here("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", String(holder)),
    here("ip", "link", "set", link, "master", bridgeName, "up"),
    run("ip", "link", "set", "lo", "up"),
    run("ip", "address", "add", `${nodeAddress(index)}/${networks.prefixLength}`, "dev", "eth0"),
    run("ip", "link", "set", "eth0", "up"),
    // To the bridge and no further: the namespace of the bridge has no default route.
    run("ip", "route", "add", "default", "via", networks.bridge),
    run(
      "sysctl",
      "-qw",
      "net.ipv4.ip_forward=1",
      "net.bridge.bridge-nf-call-iptables=1",
      "net.ipv4.conf.all.rp_filter=0",
    ),
  ];
}

export const bridgeName = "nodes";

/** The network that machines, control plane, registry and DNS share. */
export const planBridge = (): readonly Step[] =>
  [
    ["ip", "link", "set", "lo", "up"],
    ["ip", "link", "add", bridgeName, "type", "bridge"],
    ["ip", "address", "add", `${networks.bridge}/${networks.prefixLength}`, "dev", bridgeName],
    ["ip", "link", "set", bridgeName, "up"],
    ["sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv4.conf.all.rp_filter=0"],
  ].map((command): Step => ({ kind: "run", command }));

/** How pods of one machine reach those of another: a route on each other machine, and one here. */
export const planRoutes = (
  { podCidr, index }: { readonly podCidr: string; readonly index: number },
  otherHolders: readonly number[],
): readonly Step[] => {
  const route = ["ip", "route", "replace", podCidr, "via", nodeAddress(index)];
  return [
    { kind: "run", command: route },
    ...otherHolders.map((holder): Step => ({ kind: "run", command: onMachine(holder, route) })),
  ];
};
