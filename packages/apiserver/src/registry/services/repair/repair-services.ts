import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import type { Runtime } from "@coxswain/runtime";
import { bytesOf } from "../../../cache/cache-entry.js";
import { parseStored } from "../../../cache/encoded-object.js";
import { createLister } from "../../../cache/lister.js";
import { collectionPrefix, objectKey } from "../../../cache/object-key.js";
import { storedKind } from "../../../catalogue/stored-kind.js";
import type { ControllerContext } from "../../../controllers/controller-context.js";
import { ignoreGone } from "../../../controllers/ignore-gone.js";
import { deleteObject } from "../../../objects/delete.js";
import type { ObjectDeps } from "../../../objects/object-deps.js";
import { serverScope } from "../../../objects/server-scope.js";
import { newObjectWrite } from "../../own-writes/new-object-write.js";
import { createServerEvents, type ServerEvents } from "../../own-writes/server-events.js";
import { addressObject } from "../address-object.js";
import type { ServiceAllocationOptions } from "../allocation.js";
import { contains, parseRange } from "../ip-range.js";
import { createPortRecord } from "../port-record.js";
import type { StoredService } from "../service.js";
import { checkAddress } from "./check-address.js";
import { checkService, type Holdings, type StoredAddress } from "./check-service.js";
import { hasNodePorts, planPorts } from "./plan-ports.js";

export const services = storedKind("", "services");
export const addresses = storedKind("networking.k8s.io", "ipaddresses");
const cidrs = storedKind("networking.k8s.io", "servicecidrs");

/** What parsing a service costs. */
const microsPerService = 20;

export interface ServiceRepairOptions extends Pick<ServiceAllocationOptions, "nodePorts"> {
  readonly hostname: string;
}

/** Compares what services hold with what is recorded, and writes what is missing or wrong. */
export class ServiceRepair {
  readonly #runtime: Runtime;
  readonly #objects: ObjectDeps;
  readonly #options: ServiceRepairOptions;
  readonly #aboutAddresses: ServerEvents;
  readonly #aboutPorts: ServerEvents;
  readonly #holdings: Holdings;
  #leaks: ReadonlyMap<number, number> = new Map();

  constructor({ runtime, objects }: ControllerContext, options: ServiceRepairOptions) {
    const { hostname } = options;
    this.#runtime = runtime;
    this.#objects = objects;
    this.#options = options;
    this.#aboutAddresses = createServerEvents(objects, { controller: "ipallocator-repair-controller", hostname });
    this.#aboutPorts = createServerEvents(objects, { controller: "portallocator-repair-controller", hostname });
    const ranges = createLister<ServiceCIDR & KubernetesObject>(objects.feed.cacheOf(cidrs));
    this.#holdings = {
      addressOf: (name) => this.#read<StoredAddress>(addresses, objectKey(addresses, "", name)),
      serviceOf: (namespace, name) => this.#read<StoredService>(services, objectKey(services, namespace, name)),
      isInRange: (address) =>
        [...ranges.list(collectionPrefix(cidrs, ""))].some(({ spec }) =>
          (spec?.cidrs ?? []).some((cidr) => isWithin(address, cidr)),
        ),
    };
  }

  *keysOf(kind: AnyKind): Iterable<string> {
    const snapshot = this.#objects.feed.cacheOf(kind).snapshot();
    for (const { key } of snapshot.values({ prefix: collectionPrefix(kind, "") })) yield key;
  }

  async service(key: string): Promise<void> {
    const service = this.#read<StoredService>(services, key);
    if (!service) return;
    for (const repair of checkService(service, this.#holdings)) {
      if (repair.warning) await this.#aboutAddresses.warn(service, repair.warning);
      if (repair.do === "replace") await this.#removeAddress(repair.address);
      if (repair.do === "nothing") continue;
      const made = newObjectWrite(this.#objects, addresses, addressObject(service, repair.address));
      await this.#objects.store.transaction([made]);
    }
  }

  /** In how many milliseconds it is to be looked at again; undefined: not before it changes. */
  async address(key: string): Promise<number | undefined> {
    const address = this.#read<StoredAddress>(addresses, key);
    const verdict = address && checkAddress(address, this.#holdings, this.#objects.runtime.clock.now());
    if (verdict?.do === "look later") return verdict.afterMs;
    if (verdict?.do !== "remove") return undefined;
    await this.#aboutAddresses.warn(address as KubernetesObject, verdict.warning);
    await this.#removeAddress(address?.metadata.name ?? "");
    return undefined;
  }

  async ports(): Promise<void> {
    const { store, feed } = this.#objects;
    const { nodePorts: range } = this.#options;
    // Ports of a service that never was readable would look unused.
    for (const { key } of feed.cacheOf(services).unreadable.all()) this.#read(services, key);
    const record = createPortRecord(store, range, () => []);
    const used = await record.used();
    const plan = planPorts(await this.#portHolders(), used, { range, leaks: this.#leaks });
    // Who wrote the record meanwhile had services that were not looked at: the next round sees them.
    if (plan.used && (await store.transaction([record.write(plan.used)])).kind === "conflict") return;
    this.#leaks = plan.leaks;
    for (const { service, text } of plan.warnings) await this.#aboutPorts.warn(service, text);
  }

  async #portHolders(): Promise<StoredService[]> {
    const holders: StoredService[] = [];
    for (const key of this.keysOf(services)) {
      const service = this.#read<StoredService>(services, key);
      if (service && hasNodePorts(service)) holders.push(service);
      const pause = this.#runtime.scheduler.yield(microsPerService);
      if (pause) await pause;
    }
    return holders;
  }

  /** Parsed for the moment: what is kept parsed stays in memory as long as the object does. */
  #read<T>(kind: AnyKind, key: string): T | undefined {
    const entry = this.#objects.feed.cacheOf(kind).get(key);
    return entry && (parseStored(bytesOf(entry)) as T);
  }

  #removeAddress(name: string): Promise<unknown> {
    return deleteObject(this.#objects, serverScope(addresses, { name }), {}).catch(ignoreGone);
  }
}

function isWithin(address: Parameters<Holdings["isInRange"]>[0], cidr: string): boolean {
  const range = parseRange(cidr);
  return range !== undefined && contains(range, address);
}
