import { type Family, families } from "../addresses/family.js";
import type { ContainerKind } from "./policy-elements.js";

export const policyTable = "inet coxswain-policy";

/** "ingress-4": the name of a container of one family. */
export const inFamily = (name: string, family: Family): string => `${name}-${family === "IPv4" ? 4 : 6}`;

/** The containers that the table always has. */
export const fixedContainers: readonly (readonly [string, ContainerKind])[] = families.flatMap((family) => {
  const address = family === "IPv4" ? "ipv4_addr" : "ipv6_addr";
  const set = (name: string, type: string) => [inFamily(name, family), { kind: "set" as const, type }] as const;
  const map = (name: string) =>
    [inFamily(name, family), { kind: "map" as const, type: `type ${address} : verdict` }] as const;
  return [
    // Isolated pods of this node, by address.
    map("ingress"),
    map("egress"),
    // Pods of this node, isolated or not, and each with itself.
    set("known", `type ${address}`),
    set("self", `type ${address} . ${address}`),
    // The node's pod networks, while a pod that a policy selects has no known address yet.
    set("pending", `type ${address} ; flags interval`),
  ];
});

/**
 * Only what is forwarded is looked at: the node's own packets, such as probes of the kubelet, and packets to the node are never cut, as
 * Kubernetes demands. It runs behind DNAT: a connection to a service is one to its endpoint. Answers belong to their connection.
 */
export const forwardRules: readonly string[] = [
  "ct state established,related accept",
  // Behind a bridge, neighbours are found by packets that are forwarded.
  "icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit, nd-router-advert } accept",
  ...families.flatMap((family) => {
    const ip = family === "IPv4" ? "ip" : "ip6";
    const name = (container: string): string => `@${inFamily(container, family)}`;
    return [
      // A pod that reaches itself through a service.
      `${ip} saddr . ${ip} daddr ${name("self")} accept`,
      `${ip} saddr ${name("pending")} ${ip} saddr != ${name("known")} drop`,
      `${ip} daddr ${name("pending")} ${ip} daddr != ${name("known")} drop`,
      `${ip} saddr vmap ${name("egress")}`,
      `${ip} daddr vmap ${name("ingress")}`,
    ];
  }),
];
