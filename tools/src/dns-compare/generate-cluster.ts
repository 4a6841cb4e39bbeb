import type { RandomSource } from "@coxswain/runtime/random";

export interface GeneratedCluster {
  readonly namespaces: readonly string[];
  /** `name.namespace`, by what they are. */
  readonly services: readonly GeneratedService[];
  /** Addresses of endpoints. */
  readonly addresses: readonly string[];
  /** Hostnames of endpoints, and their addresses with dashes. */
  readonly hostnames: readonly string[];
  /** For `kubectl create`. */
  readonly objects: readonly object[];
}

export interface GeneratedService {
  readonly name: string;
  readonly namespace: string;
}

export const portNames = ["http", "dns", "metrics", "a-b"];

/** Namespaces with services of every kind and slices of every shape that the API allows. */
export function generateCluster(random: RandomSource, { services: count }: { services: number }): GeneratedCluster {
  const int = (most: number): number => Math.floor(random.next() * most);
  const chance = (percent: number): boolean => random.next() * 100 < percent;
  const one = <T>(all: readonly T[]): T => all[int(all.length)]!;
  const namespaces = ["shop", "bank", "pod", "svc", "x-1"];
  const services: GeneratedService[] = [];
  const addresses: string[] = [];
  const hostnames: string[] = [];
  const objects: object[] = namespaces.map((name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } }));
  const ports = (): object[] =>
    portNames
      .filter(() => chance(50))
      .map((name, at) => ({ name, port: 80 + at, protocol: one(["TCP", "UDP", "SCTP"]) }));
  const address = (isSix: boolean): string => {
    const text = isSix ? `fd00:1::${(1 + int(0xfffe)).toString(16)}` : `10.${1 + int(3)}.${int(250)}.${1 + int(250)}`;
    addresses.push(text);
    hostnames.push(text.replaceAll(/[.:]/g, "-"));
    return text;
  };
  const endpoint = (isSix: boolean): object => {
    const hostname = chance(40) ? one(["rex", "bello", "web-0", "web-1"]) : undefined;
    if (hostname) hostnames.push(hostname);
    return {
      addresses: [address(isSix)],
      ...(hostname && { hostname }),
      ...(chance(70) && { conditions: { ready: chance(75) } }),
    };
  };
  for (let at = 0; at < count; at++) {
    const namespace = one(namespaces);
    const name = `${one(["web", "db", "api"])}-${at}`;
    services.push({ name, namespace });
    const kind = one(["cluster", "cluster", "dual", "headless", "headless", "external"]);
    const own = ports();
    const needed = own.length > 0 ? own : [{ port: 80 }];
    const spec = {
      cluster: { ports: needed },
      dual: { ipFamilyPolicy: "PreferDualStack", ports: needed },
      headless: { clusterIP: "None", ...(own.length > 0 && { ports: own }) },
      external: {
        type: "ExternalName",
        externalName: one([
          "www.example.com",
          "nothing.example.com",
          `${one(["web", "db", "api"])}-${int(count)}.${one(namespaces)}.svc.cluster.local`,
          `${name}.${namespace}.svc.cluster.local`,
          "192.0.2.7",
          "svc.cluster.local",
        ]),
        ...(chance(20) && { ports: needed }),
      },
    }[kind];
    objects.push({ apiVersion: "v1", kind: "Service", metadata: { name, namespace }, spec });
    if (kind === "external") continue;
    for (let slice = 0; slice < int(3); slice++) {
      const isSix = chance(25);
      objects.push({
        apiVersion: "discovery.k8s.io/v1",
        kind: "EndpointSlice",
        metadata: { name: `${name}-${slice}`, namespace, labels: { "kubernetes.io/service-name": name } },
        addressType: isSix ? "IPv6" : "IPv4",
        ...(own.length > 0 && { ports: own }),
        endpoints: Array.from({ length: chance(5) ? 80 : int(5) }, () => endpoint(isSix)),
      });
    }
  }
  return { namespaces, services, addresses, hostnames, objects };
}
