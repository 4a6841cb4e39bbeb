import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AnyKind } from "@coxswain/kinds";
import { noAdmission } from "../../../admission/admission.js";
import { bytesOf, type CacheEntry } from "../../../cache/cache-entry.js";
import { createLister } from "../../../cache/lister.js";
import { deleteObject } from "../../../objects/delete.js";
import { parseStored } from "../../../cache/encoded-object.js";
import type { ObjectDeps } from "../../../objects/object-deps.js";
import { collectionPrefix, objectKey } from "../../../cache/object-key.js";
import { ignoreGone } from "../../../controllers/ignore-gone.js";
import { newObjectWrite } from "../../own-objects/new-object-write.js";
import { createServerEvents } from "../../own-objects/server-events.js";
import { serverScope } from "../../../objects/server-scope.js";
import { storedKind } from "../../../catalogue/stored-kind.js";
import { addressObject } from "../address-object.js";
import type { ServiceAllocationOptions } from "../allocation.js";
import { contains, parseRange } from "../ip-range.js";
import { createPortRecord } from "../port-record.js";
import type { StoredService } from "../service.js";
import { judgeAddress } from "./judge-address.js";
import { type Holdings, judgeService, type StoredAddress } from "./judge-service.js";
import { hasNodePorts, planPorts } from "./plan-ports.js";

/** So many objects are looked at before others have their turn. */
const atOnce = 200;

/** Compares what services hold with what is recorded, and writes what is missing or wrong. */
export interface Mender {
  readonly services: AnyKind;
  readonly addresses: AnyKind;
  keysOf(kind: AnyKind): Iterable<string>;
  service(key: string): Promise<void>;
  /** In how many milliseconds it is to be looked at again; undefined: not before it changes. */
  address(key: string): Promise<number | undefined>;
  ports(): Promise<void>;
  /** Does something to each, a few at a time, until `isOver`. */
  each(keys: Iterable<string>, mend: (key: string) => Promise<void> | void, isOver?: () => boolean): Promise<void>;
}

export function createMender(
  deps: ObjectDeps,
  { nodePorts, hostname }: Pick<ServiceAllocationOptions, "nodePorts"> & { readonly hostname: string },
): Mender {
  const [services, addresses, cidrs] = [
    storedKind("", "services"),
    storedKind("networking.k8s.io", "ipaddresses"),
    storedKind("networking.k8s.io", "servicecidrs"),
  ];
  const inner = { ...deps, admission: noAdmission };
  const aboutAddresses = createServerEvents(deps, { controller: "ipallocator-repair-controller", hostname });
  const aboutPorts = createServerEvents(deps, { controller: "portallocator-repair-controller", hostname });
  const ranges = createLister<ServiceCIDR & KubernetesObject>(deps.feed.cacheOf(cidrs));
  let leaks: ReadonlyMap<number, number> = new Map();

  /** Parsed for the moment: what is kept parsed stays in memory as long as the object does. */
  const read = <T>(kind: AnyKind, key: string): T | undefined => parsedOnce<T>(deps.feed.cacheOf(kind).get(key));
  const isWithin = (address: Parameters<Holdings["isInRange"]>[0], cidr: string): boolean => {
    const range = parseRange(cidr);
    return range !== undefined && contains(range, address);
  };
  const holdings: Holdings = {
    addressOf: (name) => read<StoredAddress>(addresses, objectKey(addresses, "", name)),
    serviceOf: (namespace, name) => read<StoredService>(services, objectKey(services, namespace, name)),
    isInRange: (address) =>
      [...ranges.list(collectionPrefix(cidrs, ""))].some(({ spec }) =>
        (spec?.cidrs ?? []).some((cidr) => isWithin(address, cidr)),
      ),
  };
  const removeAddress = (name: string): Promise<unknown> =>
    deleteObject(inner, serverScope(addresses, { name }), {}).catch(ignoreGone);

  const mender: Mender = {
    services,
    addresses,
    keysOf: (kind) =>
      keysOf(
        deps.feed
          .cacheOf(kind)
          .snapshot()
          .values({ prefix: collectionPrefix(kind, "") }),
      ),
    async service(key) {
      const service = read<StoredService>(services, key);
      if (!service) return;
      for (const repair of judgeService(service, holdings)) {
        if (repair.warning) await aboutAddresses.warn(service, repair.warning);
        if (repair.do === "replace") await removeAddress(repair.address);
        if (repair.do !== "nothing")
          await deps.store.transaction([newObjectWrite(deps, addresses, addressObject(service, repair.address))]);
      }
    },
    async address(key) {
      const address = read<StoredAddress>(addresses, key);
      const verdict = address && judgeAddress(address, holdings, deps.clock.now());
      if (verdict?.do === "look later") return verdict.afterMs;
      if (verdict?.do !== "remove") return undefined;
      await aboutAddresses.warn(address as KubernetesObject, verdict.warning);
      await removeAddress(address?.metadata.name ?? "");
      return undefined;
    },
    async ports() {
      // Ports of a service that never was readable would look unused.
      for (const { key } of deps.feed.cacheOf(services).unreadable.all()) read(services, key);
      const record = createPortRecord(deps.store, nodePorts, () => []);
      const used = await record.used();
      const holders: StoredService[] = [];
      await mender.each(mender.keysOf(services), (key) => {
        const service = read<StoredService>(services, key);
        if (service && hasNodePorts(service)) holders.push(service);
      });
      const plan = planPorts(holders, used, { range: nodePorts, leaks });
      // Who wrote the record meanwhile had services that were not looked at: the next round sees them.
      if (plan.used && (await deps.store.transaction([record.write(plan.used)])).kind === "conflict") return;
      leaks = plan.leaks;
      for (const { service, text } of plan.warnings) await aboutPorts.warn(service, text);
    },
    async each(keys, mend, isOver = () => false) {
      let count = 0;
      for (const key of keys) {
        if (isOver()) return;
        await mend(key);
        if (++count % atOnce === 0) await deps.scheduler.nextIteration();
      }
    },
  };
  return mender;
}

function* keysOf(entries: Iterable<CacheEntry>): Iterable<string> {
  for (const { key } of entries) yield key;
}

const parsedOnce = <T>(entry: CacheEntry | undefined): T | undefined => entry && (parseStored(bytesOf(entry)) as T);
