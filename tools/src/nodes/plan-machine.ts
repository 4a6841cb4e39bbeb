import {
  type CgroupHierarchies,
  onMachine,
  planBridge as planBridgeOf,
  planMachine as planMachineOf,
  type Step,
} from "@coxswain/machines";
import { networks, nodeAddress, nodeName } from "./addresses.js";

/** A machine of the harness: numbers in place of addresses and names. */
export interface HarnessMachine {
  /** From 1. */
  readonly index: number;
  readonly folder: string;
  readonly holder: number;
  readonly cgroup: string;
  readonly hierarchies: CgroupHierarchies;
}

const bridgeName = "nodes";

export const planMachine = ({ index, folder, holder, cgroup, hierarchies }: HarnessMachine): readonly Step[] =>
  planMachineOf({
    name: nodeName(index),
    folder,
    holder,
    cgroup,
    isTopCgroup: true,
    hierarchies,
    keep: [],
    link: {
      name: `v${nodeName(index)}`,
      bridge: bridgeName,
      address: nodeAddress(index),
      prefixLength: networks.prefixLength,
      // To the bridge and no further: the namespace of the bridge has no default route.
      gateway: networks.bridge,
    },
  });

/** The network that machines, control plane, registry and DNS share, in a namespace of its own. */
export const planBridge = (): readonly Step[] => [
  ...planBridgeOf({
    name: bridgeName,
    address: networks.bridge,
    prefixLength: networks.prefixLength,
    isForwarding: true, // below: nothing of the namespace is taken back
    namePrefix: bridgeName,
    masquerade: [],
    table: bridgeName,
  }),
  { kind: "run", command: ["sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv4.conf.all.rp_filter=0"] },
];

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
