import type { Clock } from "@coxswain/runtime/clock";
import type { HostAddress } from "./go-address.js";
import type { Records, ServiceRecord, SliceRecord } from "./records.js";

/** Records that change: informers write, questions read. */
export interface RecordIndex extends Records {
  isComplete: boolean;
  addNamespace(name: string): void;
  removeNamespace(name: string): void;
  setService(service: ServiceRecord): void;
  removeService(namespace: string, name: string): void;
  setSlice(slice: SliceRecord): void;
  removeSlice(namespace: string, name: string): void;
}

/** The slices of one service, and what is made of them when it is asked for. */
interface ServiceSlices {
  readonly byName: Map<string, SliceRecord>;
  readonly addresses: Partial<Record<HostAddress["type"], readonly string[]>>;
}

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

export function createRecordIndex(clock: Clock): RecordIndex {
  return new Index(clock);
}

class Index implements RecordIndex {
  isComplete = false;
  readonly #clock: Clock;
  #serial: number;
  readonly #namespaces = new Set<string>();
  readonly #services = new Map<string, ServiceRecord>();
  readonly #slices = new Map<string, SliceRecord>();
  readonly #slicesByService = new Map<string, ServiceSlices>();
  readonly #servicesByClusterIp = new Map<string, Map<string, ServiceRecord>>();
  readonly #slicesByAddress = new Map<string, Map<string, SliceRecord>>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#serial = Math.floor(clock.now() / 1000);
  }

  get serial(): number {
    return this.#serial;
  }

  hasNamespace(name: string): boolean {
    return this.#namespaces.has(name);
  }

  service(namespace: string, name: string): ServiceRecord | undefined {
    return this.#services.get(keyOf(namespace, name));
  }

  slices(namespace: string, service: string): Iterable<SliceRecord> {
    return this.#slicesByService.get(keyOf(namespace, service))?.byName.values() ?? [];
  }

  addresses(namespace: string, service: string, type: HostAddress["type"]): readonly string[] {
    const slices = this.#slicesByService.get(keyOf(namespace, service));
    if (!slices) return [];
    return (slices.addresses[type] ??= addressesOf(slices.byName.values(), type));
  }

  serviceByClusterIp(address: string): ServiceRecord | undefined {
    return this.#servicesByClusterIp.get(address)?.values().next().value;
  }

  slicesByAddress(address: string): Iterable<SliceRecord> {
    return this.#slicesByAddress.get(address)?.values() ?? [];
  }

  addNamespace(name: string): void {
    this.#namespaces.add(name);
  }

  removeNamespace(name: string): void {
    this.#namespaces.delete(name);
  }

  setService(service: ServiceRecord): void {
    this.removeService(service.namespace, service.name);
    const key = keyOf(service.namespace, service.name);
    this.#services.set(key, service);
    for (const { address } of service.clusterIps) put(this.#servicesByClusterIp, address, key, service);
  }

  removeService(namespace: string, name: string): void {
    const key = keyOf(namespace, name);
    const before = this.#services.get(key);
    this.#changed();
    this.#services.delete(key);
    for (const { address } of before?.clusterIps ?? []) drop(this.#servicesByClusterIp, address, key);
  }

  setSlice(slice: SliceRecord): void {
    this.removeSlice(slice.namespace, slice.name);
    const key = keyOf(slice.namespace, slice.name);
    this.#slices.set(key, slice);
    const serviceKey = keyOf(slice.namespace, slice.service);
    const byName = this.#slicesByService.get(serviceKey)?.byName ?? new Map<string, SliceRecord>();
    byName.set(slice.name, slice);
    this.#slicesByService.set(serviceKey, { byName, addresses: {} });
    for (const { address } of slice.endpoints) put(this.#slicesByAddress, address, key, slice);
  }

  removeSlice(namespace: string, name: string): void {
    const key = keyOf(namespace, name);
    const before = this.#slices.get(key);
    if (!before) return;
    this.#changed();
    this.#slices.delete(key);
    for (const { address } of before.endpoints) drop(this.#slicesByAddress, address, key);
    const serviceKey = keyOf(namespace, before.service);
    const byName = this.#slicesByService.get(serviceKey)?.byName;
    byName?.delete(name);
    if (byName?.size) this.#slicesByService.set(serviceKey, { byName, addresses: {} });
    else this.#slicesByService.delete(serviceKey);
  }

  #changed(): void {
    this.#serial = Math.floor(this.#clock.now() / 1000);
  }
}

function addressesOf(slices: Iterable<SliceRecord>, type: HostAddress["type"]): readonly string[] {
  const addresses = new Set<string>();
  for (const { endpoints } of slices)
    for (const endpoint of endpoints) if (endpoint.type === type) addresses.add(endpoint.address);
  return [...addresses];
}

function put<T>(index: Map<string, Map<string, T>>, at: string, key: string, value: T): void {
  const there = index.get(at);
  if (there) there.set(key, value);
  else index.set(at, new Map([[key, value]]));
}

function drop<T>(index: Map<string, Map<string, T>>, at: string, key: string): void {
  const there = index.get(at);
  there?.delete(key);
  if (there?.size === 0) index.delete(at);
}
