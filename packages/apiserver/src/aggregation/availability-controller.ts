import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import type { WorkResult } from "@coxswain/client/queue";
import { createLister } from "../cache/lister.js";
import { collectionPrefix, objectKey } from "../cache/object-key.js";
import { storedKind } from "../catalogue/stored-kind.js";
import { type Controller, createController } from "../controllers/controller.js";
import type { ControllerContext } from "../controllers/controller-context.js";
import { ignoreGone } from "../controllers/ignore-gone.js";
import { serverScope } from "../objects/server-scope.js";
import { updateObject } from "../objects/update.js";
import { type ApiService, isAvailable, serviceOf } from "./api-service.js";
import type { AvailabilityMetrics } from "./availability-metrics.js";
import type { Backend } from "./backend.js";
import {
  type Availability,
  failedDiscovery,
  localAvailability,
  ownAvailability,
  passed,
  planAvailability,
  withAvailability,
} from "./plan-availability.js";
import type { RegisteredServices } from "./registered-services.js";

/** Networks between here and a backend fail without notice: as upstream (k8s.io/kube-aggregator/pkg/controllers/status/remote/remote_available_controller.go, AddEventHandlerWithResyncPeriod), every backend is asked again so often. */
const recheckMs = 30_000;
const retry = { baseMs: 5, maxMs: 30_000 };
const serviceNameLabel = "kubernetes.io/service-name";

const kind = storedKind("apiregistration.k8s.io", "apiservices");
const serviceKind = storedKind("", "services");
const sliceKind = storedKind("discovery.k8s.io", "endpointslices");

export interface AvailabilityDeps {
  readonly registered: RegisteredServices;
  /** Why a backend does not answer. */
  check(backend: Backend): Promise<string | undefined>;
  readonly metrics: AvailabilityMetrics;
}

/** Maintains the Available condition of APIServices: now, whenever one of them, its service or its endpoints change, and every half minute. */
export function createAvailabilityController(
  context: ControllerContext,
  { registered, check, metrics }: AvailabilityDeps,
): Controller {
  const { feed, runtime } = context.objects;
  const { clock } = runtime;
  const apiServices = createLister<ApiService>(feed.cacheOf(kind), "last known");
  const services = createLister<Service>(feed.cacheOf(serviceKind), "last known");
  const slices = createLister<EndpointSlice & KubernetesObject>(feed.cacheOf(sliceKind), "last known");

  async function reconcile(name: string, signal: AbortSignal): Promise<WorkResult> {
    const apiService = apiServices.get(objectKey(kind, "", name));
    if (!apiService) return metrics.forget(name);
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
    if (planned) return write(apiService, registered.hasOwn(name) ? ownAvailability(planned) : planned);
    const backend = registered.named(name);
    const problem = backend && (await check(backend));
    if (signal.aborted) return undefined;
    const found = problem === undefined ? passed : failedDiscovery(problem);
    if (problem === undefined || registered.hasOwn(name)) {
      await write(apiService, problem === undefined ? found : ownAvailability(found));
      return { requeueAfterMs: recheckMs };
    }
    await write(apiService, found);
    throw new Error(problem); // asked again soon, and then less and less often
  }

  async function write(apiService: ApiService, availability: Availability): Promise<void> {
    const { name = "", uid } = apiService.metadata;
    metrics.found(name, availability);
    if (withAvailability(apiService.status, availability, clock.now()) === apiService.status) return;
    await updateObject(context.objects, serverScope(kind, { name, view: "status" }), {
      next(current) {
        const live = current as KubernetesObject & { status?: ApiService["status"] };
        const status = withAvailability(live.status, availability, clock.now());
        return live.metadata.uid === uid ? ({ ...live, status } as KubernetesObject) : live;
      },
    }).catch(ignoreGone);
    if (isAvailable(apiService) && availability.status !== "True") metrics.lost(name, availability.reason);
  }

  return createController(context, {
    name: "api-service-availability",
    failure: "an APIService is not available",
    failureLevel: "debug",
    workers: 5,
    retry,
    watched: [
      { kind, keysOf: ({ name }) => [name] },
      { kind: serviceKind, keysOf: ({ namespace, name }) => namesOf(registered, namespace, name) },
      {
        kind: sliceKind,
        keysOf: ({ namespace, labels }) => namesOf(registered, namespace, getOwn(labels ?? {}, serviceNameLabel) ?? ""),
      },
    ],
    reconcile,
  });
}

/** The APIServices that name this service. There are few backends, and none in most clusters. */
function* namesOf(registered: RegisteredServices, namespace: string, service: string): Iterable<string> {
  for (const { name } of registered.backends()) {
    const named = registered.named(name)?.service;
    if (named?.name === service && named.namespace === namespace) yield name;
  }
}
