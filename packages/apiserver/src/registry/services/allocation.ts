import type { IPAddress, ServiceCIDR } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { KeyRecord, Write } from "@coxswain/storage";
import { createLister, type Lister } from "../../cache/lister.js";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import type { WatchCache } from "../../cache/watch-cache.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import type { WriteScope } from "../../objects/write-scope.js";
import type { TransactionWrites, WriteTransaction } from "../../objects/write-transaction.js";
import { newObjectWrite } from "../own-writes/new-object-write.js";
import { addressObject } from "./address-object.js";
import { type AddressPool, createAddressPool } from "./address-pool.js";
import { type AddressChange, addressesOf, giveAddresses } from "./cluster-ips.js";
import { settleFamilies } from "./ip-families.js";
import { parseRange } from "./ip-range.js";
import { giveNodePorts, portsHeldBy } from "./node-ports.js";
import { type PortClaims, type PortRange, startClaims, startDryClaims } from "./port-claims.js";
import { createPortRecord, type PortRecord } from "./port-record.js";
import { alignClusterIps, preserveAllocated } from "./preserve-allocated.js";
import type { IpFamily, StoredService } from "./service.js";

export const defaultClusterIpRanges: readonly string[] = ["10.96.0.0/16"];

export interface ServiceAllocationOptions {
  /** CIDRs of services, one or one of each family; the first one's family is the default. */
  readonly clusterIpRanges: readonly string[];
  readonly nodePorts: PortRange;
}

const addressKind = storedKind("networking.k8s.io", "ipaddresses");
const cidrKind = storedKind("networking.k8s.io", "servicecidrs");
const endpointsKind = storedKind("", "endpoints");
const serviceKind = storedKind("", "services");

/** What a Service holds: an IPAddress for each of its addresses, bits of the node port range; its Endpoints go with it. */
export class ServiceAllocation implements WriteTransaction {
  readonly #deps: ObjectDeps;
  readonly #nodePorts: PortRange;
  readonly #families: readonly IpFamily[];
  readonly #addresses: Lister<IPAddress & KubernetesObject>;
  readonly #cidrs: Lister<ServiceCIDR & KubernetesObject>;
  readonly #record: PortRecord;

  constructor(deps: ObjectDeps, { clusterIpRanges, nodePorts }: ServiceAllocationOptions) {
    this.#deps = deps;
    this.#nodePorts = nodePorts;
    this.#families = clusterIpRanges.flatMap((cidr) => parseRange(cidr)?.family ?? []);
    this.#addresses = createLister(deps.feed.cacheOf(addressKind), "leave out");
    this.#cidrs = createLister(deps.feed.cacheOf(cidrKind), "last known");
    const services: Lister<StoredService> = createLister(deps.feed.cacheOf(serviceKind));
    this.#record = createPortRecord(deps.store, nodePorts, function* () {
      for (const service of services.list(collectionPrefix(serviceKind, ""))) yield* portsHeldBy(service);
    });
  }

  create(object: KubernetesObject, { dryRun }: WriteScope): Promise<TransactionWrites> {
    const service = object as StoredService;
    alignClusterIps(service.spec, undefined);
    return this.#change(service, undefined, dryRun);
  }

  update(object: KubernetesObject, before: KubernetesObject, { dryRun }: WriteScope): Promise<TransactionWrites> {
    const [service, old] = [object as StoredService, before as StoredService];
    preserveAllocated(service.spec, old.spec);
    alignClusterIps(service.spec, old.spec);
    return this.#change(service, old, dryRun);
  }

  async remove(object: KubernetesObject): Promise<TransactionWrites> {
    const service = object as StoredService;
    const claims = startClaims(await this.#record.used(), this.#nodePorts, this.#deps.runtime.random);
    portsHeldBy(service).forEach((port) => claims.release(port));
    const key = objectKey(endpointsKind, service.metadata.namespace ?? "", service.metadata.name ?? "");
    const endpoints = storedIn(this.#deps.feed.cacheOf(endpointsKind), key);
    // A new service of the name must not find the addresses of the old one.
    const more: Write[] = endpoints ? [{ op: "delete", key, expected: endpoints.revision }] : [];
    return this.#writesFor(service, { taken: [], released: addressesOf(service) }, claims, more);
  }

  async #change(service: StoredService, old: StoredService | undefined, dryRun: boolean): Promise<TransactionWrites> {
    settleFamilies(service, old, this.#families);
    const pool = this.#pool();
    const moved = giveAddresses(service, old, dryRun ? pool.dryRun : pool);
    const used = await this.#record.used();
    const claims = dryRun ? startDryClaims(used) : startClaims(used, this.#nodePorts, this.#deps.runtime.random);
    giveNodePorts(service, old, claims);
    return dryRun ? { writes: [] } : this.#writesFor(service, moved, claims);
  }

  #pool(): AddressPool {
    const { feed, runtime } = this.#deps;
    return createAddressPool({
      cidrs: this.#cidrs.list(collectionPrefix(cidrKind, "")),
      isTaken: (name) => feed.cacheOf(addressKind).has(objectKey(addressKind, "", name)),
      random: runtime.random,
    });
  }

  #writesFor(
    service: StoredService,
    { taken, released }: AddressChange,
    claims: PortClaims,
    more: readonly Write[] = [],
  ): TransactionWrites {
    const record = this.#record;
    const ports = claims.result();
    const writes = [
      ...taken.map((name) => newObjectWrite(this.#deps, addressKind, addressObject(service, name))),
      ...released.flatMap((name) => this.#releaseWrite(service, name)),
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
  #releaseWrite({ metadata }: StoredService, name: string): Write[] {
    const key = objectKey(addressKind, "", name);
    const address = this.#addresses.get(key);
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
}

/** An object that cannot be read goes as well. */
const storedIn = (cache: WatchCache, key: string): { readonly revision: number } | undefined =>
  cache.unreadable.get(key) ?? cache.get(key);
