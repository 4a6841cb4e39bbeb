/** A service and its slice, as the API takes them. */
export interface GeneratedService {
  readonly name: string;
  readonly isAffine: boolean;
  readonly protocol: "TCP" | "UDP";
  readonly service: { readonly metadata: { readonly name: string }; readonly spec: object };
  /** Addresses of load balancers are a status. */
  readonly ingress: readonly object[];
  readonly slice: object;
  /** Addresses and ports to try. */
  readonly targets: readonly { readonly address: string; readonly port: number }[];
}

/** Repeats itself for a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Pure: a service in which everything that decides about connections is chosen by the seed. Pod a is on the node, pod b on another. */
export function generateService(seed: number): GeneratedService {
  const random = randomOf(seed);
  const choose = <T>(...from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const last = `${Math.floor(seed / 200)}.${(seed % 200) + 1}`;
  const [clusterIP, externalIP, balancerIP, nodePort] = [
    `10.96.${10 + Math.floor(seed / 200)}.${(seed % 200) + 1}`,
    `1.1.${last}`,
    `5.5.${last}`,
    30_000 + seed,
  ];
  const name = `svc-${seed}`;
  const protocol = choose("TCP", "TCP", "UDP");
  const type = choose("ClusterIP", "NodePort", "LoadBalancer", "LoadBalancer");
  const hasExternal = random() < 0.4;
  const isOutside = type !== "ClusterIP" || hasExternal;
  const isAffine = random() < 0.2;
  const ranges = choose([], [], ["192.168.0.0/24"], ["10.0.0.0/16"], ["203.0.113.0/24", "10.0.1.2/32"]);
  const externalPolicy = choose("Cluster", "Local");
  const ipMode = choose("VIP", "VIP", "VIP", "Proxy");
  return {
    name,
    isAffine,
    protocol,
    service: {
      metadata: { name },
      spec: {
        type,
        clusterIP,
        ports: [{ name: "p", port: 80, targetPort: 8080, protocol, ...(type !== "ClusterIP" && { nodePort }) }],
        internalTrafficPolicy: choose("Cluster", "Cluster", "Local"),
        ...(isOutside && { externalTrafficPolicy: externalPolicy }),
        // One that the server chooses may be the node port of another seed.
        ...(type === "LoadBalancer" && externalPolicy === "Local" && { healthCheckNodePort: 31_000 + seed }),
        ...(hasExternal && { externalIPs: [externalIP] }),
        ...(type === "LoadBalancer" && ranges.length > 0 && { loadBalancerSourceRanges: ranges }),
        ...(isAffine && { sessionAffinity: "ClientIP" }),
      },
    },
    ingress: type === "LoadBalancer" ? [{ ip: balancerIP, ipMode }] : [],
    slice: {
      metadata: { name, labels: { "kubernetes.io/service-name": name } },
      addressType: "IPv4",
      ports: [{ name: "p", port: 8080, protocol }],
      endpoints: endpointsOf(random, choose),
    },
    targets: [
      { address: clusterIP, port: 80 },
      { address: clusterIP, port: 81 },
      { address: externalIP, port: 80 },
      { address: balancerIP, port: 80 },
      { address: "192.168.0.2", port: nodePort },
      { address: "10.0.1.1", port: nodePort },
    ],
  };
}

function endpointsOf(random: () => number, choose: <T>(...from: readonly T[]) => T): object[] {
  const isHinted = random() < 0.25;
  return [
    { address: "10.0.1.2", nodeName: "here" },
    { address: "10.0.2.2", nodeName: "there" },
  ].flatMap(({ address, nodeName }) => {
    const state = choose("ready", "ready", "ready", "unready", "terminating", "gone");
    if (state === "gone") return [];
    return [
      {
        addresses: [address],
        nodeName,
        conditions: { ready: state === "ready", serving: state !== "unready", terminating: state === "terminating" },
        ...(isHinted && { hints: { forZones: [{ name: choose("zone-a", "zone-b") }] } }),
      },
    ];
  });
}
