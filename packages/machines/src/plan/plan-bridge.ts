import type { Step } from "../steps/step.js";

export interface BridgeFacts {
  readonly name: string;
  readonly address: string;
  readonly prefixLength: number;
  /** Whether the kernel forwards packets between interfaces already. */
  readonly isForwarding: boolean;
  /** Begins the names of all bridges of this kind: while there is another one, forwarding stays on. */
  readonly namePrefix: string;
  /** Networks behind the bridge, whose connections to the world get this machine's address; none: they have no way out. */
  readonly masquerade: readonly string[];
  /** Of nftables, for them. */
  readonly table: string;
  /** Of a dual-stack cluster. */
  readonly ipv6?: {
    readonly address: string;
    readonly prefixLength: number;
    readonly isForwarding: boolean;
    readonly masquerade: readonly string[];
  };
}

/** Settings by which the kernel forwards packets, and their files. */
const forwarding = {
  IPv4: { setting: "net.ipv4.ip_forward", path: "/proc/sys/net/ipv4/ip_forward" },
  IPv6: { setting: "net.ipv6.conf.all.forwarding", path: "/proc/sys/net/ipv6/conf/all/forwarding" },
} as const;

export const forwardingFiles = { IPv4: forwarding.IPv4.path, IPv6: forwarding.IPv6.path } as const;

const planForwarding = (family: keyof typeof forwarding, unlessLink: string): Step => ({
  kind: "run",
  command: ["sysctl", "-qw", `${forwarding[family].setting}=1`],
  undo: { kind: "sysctl", path: forwarding[family].path, value: "0\n", unlessLink },
});

/** The network that machines and control plane share. */
export const planBridge = (facts: BridgeFacts): readonly Step[] => [
  { kind: "run", command: ["ip", "link", "set", "lo", "up"] },
  ...(facts.isForwarding ? [] : [planForwarding("IPv4", facts.namePrefix)]),
  ...(facts.ipv6 && !facts.ipv6.isForwarding ? [planForwarding("IPv6", facts.namePrefix)] : []),
  {
    kind: "run",
    command: ["ip", "link", "add", facts.name, "type", "bridge"],
    undo: { kind: "link", name: facts.name },
  },
  { kind: "run", command: ["ip", "address", "add", `${facts.address}/${facts.prefixLength}`, "dev", facts.name] },
  ...(facts.ipv6 ? [planAddress(`${facts.ipv6.address}/${facts.ipv6.prefixLength}`, facts.name)] : []),
  { kind: "run", command: ["ip", "link", "set", facts.name, "up"] },
  ...(facts.masquerade.length === 0 ? [] : [planMasquerade(facts)]),
];

/** Nobody else on the link has it: without the second in which the kernel asks, programs can listen on it at once. */
const planAddress = (address: string, device: string): Step => ({
  kind: "run",
  command: ["ip", "address", "add", address, "dev", device, "nodad"],
});

const masqueradeRule = (ip: "ip" | "ip6", networks: readonly string[], bridge: string): string =>
  `    ${ip} saddr { ${networks.join(", ")} } ${ip} daddr != { ${networks.join(", ")} } oifname != "${bridge}" masquerade\n`;

const planMasquerade = ({ name, masquerade, table, ipv6 }: BridgeFacts): Step => ({
  kind: "run",
  command: ["nft", "-f", "-"],
  input: `add table inet ${table}
delete table inet ${table}
table inet ${table} {
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
${masqueradeRule("ip", masquerade, name)}${ipv6 ? masqueradeRule("ip6", ipv6.masquerade, name) : ""}  }
}
`,
  undo: { kind: "table", name: `inet ${table}` },
});
