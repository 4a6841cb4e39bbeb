import { runtimeFrom } from "@coxswain/runtime";
import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { createItemBackoff, createRateLimitingQueue, runWorkers, type WorkResult } from "@coxswain/client/queue";
import type { Logger } from "@coxswain/runtime/log";
import { noAdmission } from "../admission/admission.js";
import { createLister } from "../cache/lister.js";
import { collectionPrefix, objectKey } from "../cache/object-key.js";
import { storedKind } from "../catalogue/stored-kind.js";
import type { ObjectDeps } from "../objects/object-deps.js";
import { updateObject } from "../objects/update.js";
import { followEntries } from "../controllers/follow-entries.js";
import { ignoreGone } from "../controllers/ignore-gone.js";
import { serverScope } from "../objects/server-scope.js";
import { type ApiService, isAvailable, serviceOf } from "./api-service.js";
import type { AvailabilityMeter } from "./availability-metrics.js";
import type { Backend } from "./backend.js";
import {
  type Availability,
  failedDiscovery,
  localAvailability,
  passed,
  planAvailability,
  withAvailability,
} from "./plan-availability.js";
import type { RegisteredServices } from "./registered-services.js";

/** Networks between here and a backend fail without notice: as upstream, every backend is asked again so often. */
const recheckMs = 30_000;
const retry = { baseMs: 5, maxMs: 30_000 };
const workers = 5;
const serviceNameLabel = "kubernetes.io/service-name";

export interface AvailabilityDeps {
  readonly objects: ObjectDeps;
  readonly registered: RegisteredServices;
  /** Why a backend does not answer. */
  check(backend: Backend): Promise<string | undefined>;
  readonly meter: AvailabilityMeter;
  readonly log: Logger;
}

/** Keeps the Available condition of APIServices: now, whenever one of them, its service or its endpoints change, and every half minute. */
export function keepAvailable({ objects, registered, check, meter, log }: AvailabilityDeps): { stop(): Promise<void> } {
  const { feed, clock } = objects;
  const kind = storedKind("apiregistration.k8s.io", "apiservices");
  const serviceKind = storedKind("", "services");
  const sliceKind = storedKind("discovery.k8s.io", "endpointslices");
  const inner: ObjectDeps = { ...objects, admission: noAdmission };
  const apiServices = createLister<ApiService>(feed.cacheOf(kind), "last known");
  const services = createLister<Service>(feed.cacheOf(serviceKind), "last known");
  const slices = createLister<EndpointSlice & KubernetesObject>(feed.cacheOf(sliceKind), "last known");
  const runtime = runtimeFrom({ clock });
  const queue = createRateLimitingQueue<string>({ runtime, rateLimiter: createItemBackoff<string>(retry) });
  const stopping = new AbortController();

  async function sync(name: string): Promise<WorkResult> {
    const apiService = apiServices.get(objectKey(kind, "", name));
    if (!apiService) return meter.forget(name);
    const reference = serviceOf(apiService);
    if (!reference) return write(apiService, localAvailability);
    const { namespace } = reference;
    const known = {
      service: services.get(objectKey(serviceKind, namespace, reference.name)) as DeepReadonly<Service> | undefined,
      slices: [...slices.list(collectionPrefix(sliceKind, namespace))].filter(
        ({ metadata }) => getOwn(metadata.labels ?? {}, serviceNameLabel) === reference.name,
      ),
    };
    const planned = planAvailability(reference, known);
    if (planned) return write(apiService, planned);
    const backend = registered.backend(name);
    const problem = backend && (await check(backend));
    if (stopping.signal.aborted) return undefined;
    await write(apiService, problem === undefined ? passed : failedDiscovery(problem));
    if (problem !== undefined) throw new Error(problem); // asked again soon, and then less and less often
    return { requeueAfterMs: recheckMs };
  }

  async function write(apiService: ApiService, availability: Availability): Promise<void> {
    const { name = "", uid } = apiService.metadata;
    meter.found(name, availability);
    if (withAvailability(apiService.status, availability, clock.now()) === apiService.status) return;
    await updateObject(inner, serverScope(kind, { name, view: "status" }), {
      next(current) {
        const live = current as KubernetesObject & { status?: ApiService["status"] };
        const status = withAvailability(live.status, availability, clock.now());
        return Promise.resolve(live.metadata.uid === uid ? ({ ...live, status } as KubernetesObject) : live);
      },
    }).catch(ignoreGone);
    if (isAvailable(apiService) && availability.status !== "True") meter.lost(name, availability.reason);
  }

  /** Those that name this service. There are few backends, and none in most clusters. */
  function wakeFor(namespace: string, name: string): void {
    for (const backend of registered.backends())
      if (backend.service.name === name && backend.service.namespace === namespace) queue.add(backend.name);
  }
  const watchers = [
    followEntries(feed, serviceKind, ({ namespace, name }) => wakeFor(namespace, name)),
    followEntries(feed, sliceKind, ({ namespace, labels }) =>
      wakeFor(namespace, getOwn(labels ?? {}, serviceNameLabel) ?? ""),
    ),
  ];
  const unsubscribe = registered.onChange((name) => queue.add(name));
  for (const { group, version } of registered.ranked()) queue.add(`${version}.${group}`);
  const running = runWorkers({
    queue,
    runtime,
    workers,
    work: sync,
    signal: stopping.signal,
    onError: (error, name) => log.debug("an APIService is not available", { name, error }),
  });
  return {
    async stop() {
      stopping.abort();
      unsubscribe();
      for (const watcher of watchers) watcher.stop();
      await running;
    },
  };
}
