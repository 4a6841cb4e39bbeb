import type { Step } from "../steps/step.js";
import type { CgroupHierarchies } from "./cgroup-hierarchies.js";
import { onMachine } from "./namespaces.js";
import { planCgroup } from "./plan-cgroup.js";
import { type MountFacts, planMounts } from "./plan-mounts.js";

/** One of the machines that share this one: namespaces of its own for network, mounts and host name. */
export interface MachineFacts extends MountFacts {
  /** Its host name. */
  readonly name: string;
  /** Of the process that holds its namespaces. */
  readonly holder: number;
  /** Of all its pods: the name of a group at the root of each hierarchy. */
  readonly cgroup: string;
  /** Whether nothing above the group is taken back with it. */
  readonly isTopCgroup: boolean;
  readonly hierarchies: CgroupHierarchies;
  readonly link: LinkFacts;
}

/** How a machine is connected to the bridge. */
export interface LinkFacts {
  /** Of the end at the bridge; the other one is eth0. */
  readonly name: string;
  readonly bridge: string;
  readonly address: string;
  readonly prefixLength: number;
  /** The bridge's address: the way to everything else. */
  readonly gateway: string;
  /** Of a dual-stack cluster. */
  readonly ipv6?: { readonly address: string; readonly prefixLength: number; readonly gateway: string };
}

/** From the fresh namespaces to a machine that a container runtime and a kubelet find as they find any other. */
export const planMachine = (facts: MachineFacts): readonly Step[] => [
  ...planCgroup({ hierarchies: facts.hierarchies, path: facts.cgroup, isTop: facts.isTopCgroup }),
  { kind: "run", command: onMachine(facts.holder, ["hostname", facts.name]) },
  ...planMounts(facts, (command) => onMachine(facts.holder, command)),
  ...planNetwork(facts),
];

/** The same for the namespaces that this process is in: one machine without neighbours, for tests. */
export const planOwnMachine = (facts: Pick<MachineFacts, "folder" | "cgroup" | "hierarchies">): readonly Step[] => [
  ...planCgroup({ hierarchies: facts.hierarchies, path: facts.cgroup, isTop: true }),
  { kind: "run", command: ["ip", "link", "set", "lo", "up"] },
  ...planMounts({ ...facts, keep: [] }, (command) => command),
  { kind: "run", command: ["sysctl", "-qw", ...forwarding] },
];

/** Packets between pods behind one bridge must be seen by the rules of services and policies, too. */
const forwarding = ["net.ipv4.ip_forward=1", "net.bridge.bridge-nf-call-iptables=1"];

const ipv6Forwarding = ["net.ipv6.conf.all.forwarding=1", "net.bridge.bridge-nf-call-ip6tables=1"];

function planNetwork({ holder, link }: MachineFacts): Step[] {
  const { ipv6 } = link;
  const here = (...command: string[]): Step => ({ kind: "run", command });
  const run = (...command: string[]): Step => ({ kind: "run", command: onMachine(holder, command) });
  return [
    here("ip", "link", "add", link.name, "type", "veth", "peer", "name", "eth0", "netns", String(holder)),
    here("ip", "link", "set", link.name, "master", link.bridge, "up"),
    run("ip", "link", "set", "lo", "up"),
    run("ip", "address", "add", `${link.address}/${link.prefixLength}`, "dev", "eth0"),
    run("ip", "link", "set", "eth0", "up"),
    run("ip", "route", "add", "default", "via", link.gateway),
    run("sysctl", "-qw", ...forwarding, "net.ipv4.conf.all.rp_filter=0"),
    ...(ipv6
      ? [
          run("sysctl", "-qw", ...ipv6Forwarding),
          run("ip", "address", "add", `${ipv6.address}/${ipv6.prefixLength}`, "dev", "eth0", "nodad"),
          run("ip", "-6", "route", "add", "default", "via", ipv6.gateway),
        ]
      : []),
  ];
}
