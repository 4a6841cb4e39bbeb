import type { ServiceCIDR } from "@coxswain/api/networking/v1";
import type { Timer } from "@coxswain/apimachinery/clock";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Logger } from "@coxswain/component/log";
import type { AnyKind } from "@coxswain/kinds";
import { noAdmission } from "../../../admission/admission.js";
import { bytesOf, type CacheEntry } from "../../../cache/cache-entry.js";
import type { Delivery } from "../../../cache/cache-event.js";
import { createLister } from "../../../cache/lister.js";
import { deleteObject } from "../../../objects/delete.js";
import { parseStored } from "../../../objects/encoded-object.js";
import type { ObjectDeps } from "../../../objects/object-deps.js";
import { collectionPrefix, objectKey } from "../../../objects/object-key.js";
import { everything } from "../../act-on-changes.js";
import { ignoreGone } from "../../ignore-gone.js";
import { newObjectWrite } from "../../new-object-write.js";
import { createServerEvents } from "../../server-events.js";
import { serverScope } from "../../server-scope.js";
import { storedKind } from "../../stored-kind.js";
import { addressObject } from "../address-object.js";
import type { ServiceAllocationOptions } from "../companions.js";
import { contains, parseRange } from "../ip-range.js";
import { createPortRecord } from "../port-record.js";
import type { StoredService } from "../service.js";
import { judgeAddress } from "./judge-address.js";
import { type Holdings, judgeService, type StoredAddress } from "./judge-service.js";
import { planPorts } from "./plan-ports.js";

/** Everything is looked at so often, as upstream does; what changed, after a second. */
const everyMs = 3 * 60_000;
const soonMs = 1000;
/** So many objects are looked at before others have their turn. */
const atOnce = 200;

/**
 * Mends what services hold: IPAddresses that are missing, left over or somebody else's, and node ports that are not recorded or held by
 * nobody. Services and what they hold are written together here, so this is for what others did: an administrator, or another server.
 */
export function keepRepaired(deps: ObjectDeps, { nodePorts, hostname }: Pick<ServiceAllocationOptions, "nodePorts"> & { readonly hostname: string }, log: Logger): { stop(): Promise<void> } {
  const [services, addresses, cidrs] = [storedKind("", "services"), storedKind("networking.k8s.io", "ipaddresses"), storedKind("networking.k8s.io", "servicecidrs")];
  const inner = { ...deps, admission: noAdmission };
  const aboutAddresses = createServerEvents(deps, { controller: "ipallocator-repair-controller", hostname });
  const aboutPorts = createServerEvents(deps, { controller: "portallocator-repair-controller", hostname });
  const ranges = createLister<ServiceCIDR & KubernetesObject>(deps.feed.cacheOf(cidrs));
  /** Keys of objects to look at. */
  const changed = { services: new Set<string>(), addresses: new Set<string>() };
  let leaks: ReadonlyMap<number, number> = new Map();
  let stopped = false;
  let running: Promise<void> | undefined;
  let soon: Timer | undefined;
  let round: Timer | undefined;
  /** Of addresses that are looked at again. */
  const later = new Set<Timer>();

  /** Parsed for the moment: what is kept parsed stays in memory as long as the object does. */
  const read = <T>(kind: AnyKind, key: string): T | undefined => {
    const entry = deps.feed.cacheOf(kind).get(key);
    return entry && (parseStored(bytesOf(entry)) as T);
  };
  const holdings: Holdings = {
    addressOf: (name) => read<StoredAddress>(addresses, objectKey(addresses, "", name)),
    serviceOf: (namespace, name) => read<StoredService>(services, objectKey(services, namespace, name)),
    isInRange: (address) => [...ranges.list(collectionPrefix(cidrs, ""))].some(({ spec }) => (spec?.cidrs ?? []).some((cidr) => {
      const range = parseRange(cidr);
      return range !== undefined && contains(range, address);
    })),
  };

  async function mendService(key: string): Promise<void> {
    const service = read<StoredService>(services, key);
    if (!service) return;
    for (const repair of judgeService(service, holdings)) {
      if (repair.tell) await aboutAddresses.warn(service, repair.tell);
      if (repair.do === "replace") await removeAddress(repair.address);
      if (repair.do !== "nothing") await deps.store.transaction([newObjectWrite(deps, addresses, addressObject(service, repair.address))]);
    }
  }

  const removeAddress = (name: string): Promise<unknown> => deleteObject(inner, serverScope(addresses, { name }), {}).catch(ignoreGone);

  async function mendAddress(key: string): Promise<void> {
    const address = read<StoredAddress>(addresses, key);
    const verdict = address && judgeAddress(address, holdings, deps.clock.now());
    if (verdict?.do === "look later") return lookAfter(verdict.afterMs, key);
    if (verdict?.do !== "remove") return;
    await aboutAddresses.warn(address as KubernetesObject, verdict.tell);
    await removeAddress(address?.metadata.name ?? "");
  }

  function lookAfter(ms: number, key: string): void {
    const timer: Timer = deps.clock.setTimer(ms, () => {
      later.delete(timer);
      changed.addresses.add(key);
      wake();
    });
    later.add(timer);
  }

  async function mendPorts(): Promise<void> {
    const record = createPortRecord(deps.store, nodePorts, () => []);
    const used = await record.used();
    const plan = planPorts(allServices(), used, { range: nodePorts, leaks });
    // Who wrote the record meanwhile had services that were not looked at: the next round sees them.
    if (plan.used && (await deps.store.transaction([record.write(plan.used)])).kind === "conflict") return;
    leaks = plan.leaks;
    for (const { service, text } of plan.tell) await aboutPorts.warn(service, text);
  }

  function* allServices(): Iterable<StoredService> {
    for (const { key } of entriesOf(services)) {
      const service = read<StoredService>(services, key);
      if (service) yield service;
    }
  }

  const entriesOf = (kind: AnyKind): Iterable<CacheEntry> => deps.feed.cacheOf(kind).snapshot().values({ prefix: collectionPrefix(kind, "") });

  async function drain(keys: Set<string>, mend: (key: string) => Promise<void>): Promise<void> {
    let count = 0;
    for (const key of keys) {
      if (stopped) return;
      keys.delete(key);
      await mend(key);
      if (++count % atOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Services first: what they miss is then there. */
  async function mend(): Promise<void> {
    await drain(changed.services, mendService);
    await drain(changed.addresses, mendAddress);
  }

  async function mendAll(): Promise<void> {
    for (const { key } of entriesOf(services)) changed.services.add(key);
    for (const { key } of entriesOf(addresses)) changed.addresses.add(key);
    await mend();
    if (!stopped) await mendPorts();
  }

  /** One after the other; what fails is looked at again with everything else. */
  function run(work: () => Promise<void>): Promise<void> {
    return (running = (running ?? Promise.resolve()).then(() => (stopped ? undefined : work())).catch((error: unknown) => {
      if (!stopped) log.warn("what services hold was not repaired", { error });
    }));
  }

  function wake(): void {
    soon ??= deps.clock.setTimer(soonMs, () => {
      soon = undefined;
      void run(mend);
    });
  }

  function sweep(): void {
    void run(mendAll).then(() => {
      if (!stopped) round = deps.clock.setTimer(everyMs, sweep);
    });
  }

  function note(kind: AnyKind, { type, entry }: Delivery): void {
    if (kind === services) {
      if (type !== "DELETED") changed.services.add(entry.key);
    } else if (type !== "DELETED") {
      changed.addresses.add(entry.key);
    } else {
      const { namespace = "", name = "" } = (parseStored(bytesOf(entry)) as StoredAddress).spec?.parentRef ?? {};
      changed.services.add(objectKey(services, namespace, name));
    }
  }

  const watchers = [services, addresses].map((kind) =>
    deps.feed.cacheOf(kind).watch(everything, { now: true, mark: false }, {
      deliver(events) {
        for (const event of events) note(kind, event);
        wake();
        return undefined;
      },
      bookmark: () => {},
      end: () => {},
    }),
  );
  sweep();
  return {
    async stop() {
      stopped = true;
      for (const timer of [soon, round, ...later]) timer?.cancel();
      for (const watcher of watchers) watcher?.stop();
      await running;
    },
  };
}
