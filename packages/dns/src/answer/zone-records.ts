import { type ResourceRecord, recordClasses, type SoaRecord } from "@coxswain/wire/dns";
import { hostAddress } from "../records/go-address.js";
import type { Records } from "../records/records.js";
import type { ClusterZones } from "./cluster-zones.js";

/** As `SOA` in `plugin/backend_lookup.go` of CoreDNS. */
export const soaOf = (writtenZone: string, { serial }: Records, { ttl }: ClusterZones): SoaRecord => ({
  type: "SOA",
  name: writtenZone,
  class: recordClasses.IN,
  ttl: Math.min(ttl, 300),
  nameServer: `ns.dns.${writtenZone}`,
  mailbox: `hostmaster.${writtenZone}`,
  serial: serial % 0x1_0000_0000,
  refresh: 7200,
  retry: 1800,
  expire: 86_400,
  minimum: ttl,
});

export interface NameServer {
  readonly name: string;
  readonly type: "A" | "AAAA";
  readonly address: string;
}

/**
 * The server under the names that the cluster has for it: services whose endpoints have its address; without any, `ns.dns` of the zone. As
 * `nsAddrs` in `plugin/kubernetes/ns.go` of CoreDNS.
 */
export function nameServers(writtenZone: string, records: Records, { localAddresses }: ClusterZones): NameServer[] {
  const found = localAddresses.flatMap((local) =>
    [...records.slicesByAddress(local)].flatMap(({ namespace, service: name, endpoints }): NameServer[] => {
      const service = records.service(namespace, name);
      if (!service) return [];
      const serviceName = `${name}.${namespace}.svc.${writtenZone}`;
      return service.kind === "headless"
        ? endpoints.map(({ type, address, hostname }) => ({ type, address, name: `${hostname}.${serviceName}` }))
        : service.clusterIps.map(({ type, address }) => ({ type, address, name: serviceName }));
    }),
  );
  if (found.length > 0) return found;
  return localAddresses.flatMap((local) => {
    const address = hostAddress(local);
    return address ? { ...address, name: `ns.dns.${writtenZone}` } : [];
  });
}

/** NS records of the zone, and the addresses of their names. */
export function nameServerRecords(
  zone: string,
  servers: readonly NameServer[],
  ttl: number,
): { answers: ResourceRecord[]; additionals: ResourceRecord[] } {
  const head = { class: recordClasses.IN, ttl };
  return {
    answers: [...new Set(servers.map(({ name }) => name))].map((target) => ({
      ...head,
      type: "NS",
      name: zone,
      target,
    })),
    additionals: servers.map(({ name, type, address }) => ({ ...head, type, name, address })),
  };
}
