import { isInZone } from "@coxswain/wire/dns";

/** What the server answers itself, and how. Names are in lower case, without a last dot. */
export interface ClusterZones {
  /** `cluster.local` */
  readonly domain: string;
  /** Seconds that answers may be kept. */
  readonly ttl: number;
  /**
   * `insecure`: `a-b-c-d.namespace.pod` is answered with a.b.c.d whether or not there is such a pod, as in kubeadm's configuration of
   * CoreDNS.
   */
  readonly pods: "insecure" | "disabled";
  /** Addresses that the server itself is reached at, for the zone's NS records. */
  readonly localAddresses: readonly string[];
}

/** Zones of reverse questions. What they do not know is asked elsewhere, as in kubeadm's configuration (`fallthrough`). */
const reverseZones: readonly string[] = ["in-addr.arpa", "ip6.arpa"];

/** The zone that `name`, in lower case, is in. */
export function zoneOf(name: string, { domain }: ClusterZones): string | undefined {
  if (isInZone(name, domain)) return domain;
  return reverseZones.find((zone) => isInZone(name, zone));
}

export const isReverse = (zone: string): boolean => reverseZones.includes(zone);
