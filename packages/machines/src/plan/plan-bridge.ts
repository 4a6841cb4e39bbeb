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
}

const forwardingFile = "/proc/sys/net/ipv4/ip_forward";

/** The network that machines and control plane share. */
export const planBridge = (facts: BridgeFacts): readonly Step[] => [
  { kind: "run", command: ["ip", "link", "set", "lo", "up"] },
  ...(facts.isForwarding
    ? []
    : ([
        {
          kind: "run",
          command: ["sysctl", "-qw", "net.ipv4.ip_forward=1"],
          undo: { kind: "sysctl", path: forwardingFile, value: "0\n", unlessLink: facts.namePrefix },
        },
      ] as const)),
  {
    kind: "run",
    command: ["ip", "link", "add", facts.name, "type", "bridge"],
    undo: { kind: "link", name: facts.name },
  },
  { kind: "run", command: ["ip", "address", "add", `${facts.address}/${facts.prefixLength}`, "dev", facts.name] },
  { kind: "run", command: ["ip", "link", "set", facts.name, "up"] },
  ...(facts.masquerade.length === 0 ? [] : [planMasquerade(facts)]),
];

const planMasquerade = ({ name, masquerade, table }: BridgeFacts): Step => ({
  kind: "run",
  command: ["nft", "-f", "-"],
  input: `add table inet ${table}
delete table inet ${table}
table inet ${table} {
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr { ${masquerade.join(", ")} } ip daddr != { ${masquerade.join(", ")} } oifname != "${name}" masquerade
  }
}
`,
  undo: { kind: "table", name: `inet ${table}` },
});
