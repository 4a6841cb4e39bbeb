import type { IPAddress, ServiceCIDR } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { KeyRecord, Write } from "@coxswain/storage";
import type { WatchCache } from "../../cache/watch-cache.js";
import { createLister, type Lister } from "../../cache/lister.js";
import type { TransactionWrites, WriteTransaction } from "../../objects/write-transaction.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import { newObjectWrite } from "../new-object-write.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import { addressObject } from "./address-object.js";
import { type AddressPool, createAddressPool } from "./address-pool.js";
import { type AddressChange, addressesOf, giveAddresses } from "./cluster-ips.js";
import { settleFamilies } from "./ip-families.js";
import { parseRange } from "./ip-range.js";
import { alignClusterIps, keepAllocated } from "./keep-allocated.js";
import { giveNodePorts, portsHeldBy } from "./node-ports.js";
import { type PortClaims, type PortRange, startClaims, startDryClaims } from "./port-claims.js";
import { createPortRecord } from "./port-record.js";
import type { IpFamily, StoredService } from "./service.js";

export const defaultClusterIpRanges: readonly string[] = ["10.96.0.0/16"];

export interface ServiceAllocationOptions {
  /** CIDRs of services, one or one of each family; the first one's family is the default. */
  readonly clusterIpRanges: readonly string[];
  readonly nodePorts: PortRange;
}

/** What a Service holds: an IPAddress for each of its addresses, bits of the node port range; its Endpoints go with it. */
export function createServiceAllocation(
  deps: ObjectDeps,
  { clusterIpRanges, nodePorts }: ServiceAllocationOptions,
): WriteTransaction {
  const families = clusterIpRanges.flatMap((cidr): readonly IpFamily[] => {
    const range = parseRange(cidr);
    return range ? [range.family] : [];
  });
  const addressKind = storedKind("networking.k8s.io", "ipaddresses");
  const cidrKind = storedKind("networking.k8s.io", "servicecidrs");
  const endpointsKind = storedKind("", "endpoints");
  const kindOfServices = storedKind("", "services");
  const addresses = createLister<IPAddress & KubernetesObject>(deps.feed.cacheOf(addressKind), "leave out");
  const cidrs: Lister<ServiceCIDR & KubernetesObject> = createLister(deps.feed.cacheOf(cidrKind), "last known");
  const services: Lister<StoredService> = createLister(deps.feed.cacheOf(kindOfServices));
  const record = createPortRecord(deps.store, nodePorts, function* () {
    for (const service of services.list(collectionPrefix(kindOfServices, ""))) yield* portsHeldBy(service);
  });

  const pool = (): AddressPool =>
    createAddressPool({
      cidrs: cidrs.list(collectionPrefix(cidrKind, "")),
      isTaken: (name) => deps.feed.cacheOf(addressKind).has(objectKey(addressKind, "", name)),
      random: deps.random,
    });

  async function change(
    service: StoredService,
    old: StoredService | undefined,
    dryRun: boolean,
  ): Promise<TransactionWrites> {
    settleFamilies(service, old, families);
    const here = pool();
    const moved = giveAddresses(service, old, dryRun ? here.dryRun : here);
    const used = await record.used();
    const claims = dryRun ? startDryClaims(used) : startClaims(used, nodePorts, deps.random);
    giveNodePorts(service, old, claims);
    return dryRun ? { writes: [] } : writesFor(service, moved, claims);
  }

  function writesFor(
    service: StoredService,
    { taken, released }: AddressChange,
    claims: PortClaims,
    more: readonly Write[] = [],
  ): TransactionWrites {
    const ports = claims.result();
    const writes = [
      ...taken.map((name) => newObjectWrite(deps, addressKind, addressObject(service, name))),
      ...released.flatMap((name) => releaseWrite(service, name)),
      ...(ports ? [record.write(ports)] : []),
      ...more,
    ];
    return {
      writes,
      written: (revision) => ports && record.written(ports, revision),
      lost: (key, current: KeyRecord | undefined) => ports && key === record.write(ports).key && record.lost(current),
    };
  }

  /** Only what this service holds: an address that was given to another meanwhile stays. */
  function releaseWrite({ metadata }: StoredService, name: string): Write[] {
    const key = objectKey(addressKind, "", name);
    const address = addresses.get(key);
    const parent = address?.spec?.parentRef;
    if (
      !address ||
      parent?.resource !== "services" ||
      parent.name !== metadata.name ||
      parent.namespace !== metadata.namespace
    )
      return [];
    return [{ op: "delete", key, expected: Number(address.metadata.resourceVersion) }];
  }

  return {
    create(object, { dryRun }) {
      const service = object as StoredService;
      alignClusterIps(service.spec, undefined);
      return change(service, undefined, dryRun);
    },
    update(object, before, { dryRun }) {
      const [service, old] = [object as StoredService, before as StoredService];
      keepAllocated(service.spec, old.spec);
      alignClusterIps(service.spec, old.spec);
      return change(service, old, dryRun);
    },
    async remove(object) {
      const service = object as StoredService;
      const claims = startClaims(await record.used(), nodePorts, deps.random);
      portsHeldBy(service).forEach((port) => claims.release(port));
      const key = objectKey(endpointsKind, service.metadata.namespace ?? "", service.metadata.name ?? "");
      const endpoints = storedIn(deps.feed.cacheOf(endpointsKind), key);
      // A new service of the name must not find the addresses of the old one.
      const more: Write[] = endpoints ? [{ op: "delete", key, expected: endpoints.revision }] : [];
      return writesFor(service, { taken: [], released: addressesOf(service) }, claims, more);
    },
  };
}

/** An object that cannot be read goes as well. */
const storedIn = (cache: WatchCache, key: string): { readonly revision: number } | undefined =>
  cache.unreadable.get(key) ?? cache.get(key);
