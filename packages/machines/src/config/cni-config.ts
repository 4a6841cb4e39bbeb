/** Of the bridge that the pods of one machine are on. */
export const podBridge = "cni0";

/**
 * A CNI configuration: a bridge for the pods of one node, with host ports. No masquerading: pods reach each other by routes, and what
 * leads to the world gives them its address. Leases lie in memory: after a start of the machine there is no pod.
 */
export const cniConfig = (podCidrs: readonly string[], mtu?: number): string =>
  JSON.stringify({
    cniVersion: "1.0.0",
    name: "pods",
    plugins: [
      {
        type: "bridge",
        bridge: podBridge,
        isGateway: true,
        ipMasq: false,
        hairpinMode: true,
        ...(mtu !== undefined && { mtu }),
        ipam: {
          type: "host-local",
          dataDir: "/run/cni-addresses",
          ranges: podCidrs.map((subnet) => [{ subnet }]),
          routes: podCidrs.map((subnet) => ({ dst: subnet.includes(":") ? "::/0" : "0.0.0.0/0" })),
        },
      },
      { type: "portmap", capabilities: { portMappings: true }, snat: true },
    ],
  });

/** In the directory of CNI configurations: the first file by name counts. */
export const cniFile = "10-coxswain.conflist";
