import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import type { Family } from "../addresses/family.js";

type Slice = DeepReadonly<EndpointSlice>;

const serviceLabel = "kubernetes.io/service-name";
const triggerTimeAnnotation = "endpoints.kubernetes.io/last-change-trigger-time";

/** A service with its slices, and what has happened to it since it was last looked at. */
export interface TrackedService {
  readonly service: DeepReadonly<Service> | undefined;
  readonly slices: Iterable<Slice>;
}

/**
 * Services and their slices of one family, each under its service's name, and which of them have changed. One change costs the same however many
 * services there are.
 */
export class ServiceTracker {
  readonly #family: Family;
  readonly #services = new Map<string, DeepReadonly<Service>>();
  readonly #slices = new Map<string, Map<string, Slice>>();
  #changed = new Set<string>();
  #triggerTimes: number[] = [];
  /** Changes that nobody has taken yet, for the metrics. */
  pending = { services: 0, endpoints: 0 };

  constructor(family: Family) {
    this.#family = family;
  }

  putService(service: DeepReadonly<Service>): void {
    const key = keyOf(service);
    this.#services.set(key, service);
    this.#change(key, "services");
  }

  removeService(service: DeepReadonly<Service>): void {
    const key = keyOf(service);
    this.#services.delete(key);
    this.#change(key, "services");
  }

  putSlice(slice: Slice): void {
    const key = this.#serviceOf(slice);
    if (key === undefined) return;
    const slices = this.#slices.get(key) ?? new Map<string, Slice>();
    this.#slices.set(key, slices);
    slices.set(slice.metadata?.name ?? "", slice);
    const trigger = Date.parse(getOwn(slice.metadata?.annotations ?? {}, triggerTimeAnnotation) ?? "");
    if (!Number.isNaN(trigger) && this.#services.has(key)) this.#triggerTimes.push(trigger);
    this.#change(key, "endpoints");
  }

  removeSlice(slice: Slice): void {
    const key = this.#serviceOf(slice);
    if (key === undefined) return;
    const slices = this.#slices.get(key);
    slices?.delete(slice.metadata?.name ?? "");
    if (slices?.size === 0) this.#slices.delete(key);
    this.#change(key, "endpoints");
  }

  /** Every service counts as changed: the node's zone is another one. */
  changeAll(): void {
    for (const key of this.#services.keys()) this.#changed.add(key);
  }

  get(key: string): TrackedService {
    return { service: this.#services.get(key), slices: this.#slices.get(key)?.values() ?? [] };
  }

  /** What has changed since the last call. Slices of services that are not there do not count: they wait for their service. */
  takeChanges(): { readonly services: ReadonlySet<string>; readonly triggerTimes: readonly number[] } {
    const taken = { services: this.#changed, triggerTimes: this.#triggerTimes };
    this.#changed = new Set();
    this.#triggerTimes = [];
    this.pending = { services: 0, endpoints: 0 };
    return taken;
  }

  #serviceOf({ metadata, addressType }: Slice): string | undefined {
    const name = getOwn(metadata?.labels ?? {}, serviceLabel);
    if (addressType !== this.#family || name === undefined || name === "") return undefined;
    return `${metadata?.namespace ?? ""}/${name}`;
  }

  #change(key: string, kind: "services" | "endpoints"): void {
    this.#changed.add(key);
    this.pending[kind]++;
  }
}

const keyOf = ({ metadata }: DeepReadonly<Service>): string => `${metadata?.namespace ?? ""}/${metadata?.name ?? ""}`;
