import type { DeepReadonly } from "@coxswain/api";
import type { Endpoints, Service } from "@coxswain/api/core/v1";
import { splitObjectKey } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import { selectorFromLabels } from "@coxswain/apimachinery/selector";
import { statusCause } from "@coxswain/apimachinery/status";
import { createConsistencyStore } from "@coxswain/client/controller";
import { createLister, keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { ignoreGone } from "../controller/ignore-gone.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { leaderAnnotation } from "../service-endpoints/leader-annotation.js";
import { servicesBySelector, watchPodsOfServices } from "../service-endpoints/services-of-pod.js";
import { createTriggerTimes } from "../service-endpoints/trigger-times.js";
import { planEndpoints } from "./plan.js";

const resource = { group: "", resource: "endpoints" };
/** How long a cache may take to see the own last write before it is looked at again. */
const behindMs = 20;

/** Keeps the Endpoints of services that select pods; EndpointSlices have taken their place, but old clients read these. */
export const endpointsController: Controller = {
  name: "endpoints-controller",
  aliases: ["endpoint"],
  serviceAccount: "endpoint-controller",
  start(context) {
    const { client, informers, settings } = context;
    const services = informers.of("core", "v1", "services", { indexers: servicesBySelector });
    const pods = informers.of("core", "v1", "pods");
    const endpoints = informers.of("core", "v1", "endpoints");
    const recorder = context.recorder("endpoint-controller");
    const triggerTimes = createTriggerTimes();
    /**
     * A change of a pod often follows the creation so soon that the cache has no Endpoints yet: a second creation would fail,
     * with a Warning. Upstream waits after updates only (staleEndpointsTracker); its informer is faster than its next sync.
     */
    const consistency = createConsistencyStore([{ resource, cache: endpoints.indexer }]);

    const loop = createReconcileLoop(context, {
      name: "endpoint",
      workers: settings.concurrency?.["endpoints-controller"] ?? 5,
      async reconcile(key) {
        const service = services.indexer.getByKey(key);
        if (!service) {
          triggerTimes.forget(key);
          consistency.clear(key);
          return deleteEndpoints(key);
        }
        // Others make the Endpoints of services without a selector, and external names have none.
        if (service.spec?.type === "ExternalName" || !service.spec?.selector) return;
        const selected = createLister(pods.indexer)
          .namespace(service.metadata?.namespace ?? "")
          .list(selectorFromLabels(service.spec.selector));
        if (consistency.behind(key)) return { requeueAfterMs: behindMs };
        const current = endpoints.indexer.getByKey(key);
        const triggerTime = triggerTimes.next(service, selected);
        const next = planEndpoints({ service, pods: selected, current, triggerTime });
        if (next) await write(service, next, current);
      },
    });

    async function deleteEndpoints(key: string): Promise<void> {
      const { namespace, name } = splitObjectKey(key) ?? { namespace: "", name: "" };
      await client.core.v1.endpoints(namespace).delete(name).catch(ignoreGone);
    }

    async function write(
      service: DeepReadonly<Service>,
      next: Endpoints,
      current: DeepReadonly<Endpoints> | undefined,
    ): Promise<void> {
      const key = keyOf(service);
      const { namespace } = service.metadata ?? {};
      const fail = (reason: string, message: string, error: unknown): never => {
        const reference = { apiVersion: "v1", kind: "Endpoints", name: service.metadata?.name ?? "", namespace };
        const text = error instanceof Error ? error.message : String(error);
        recorder.event(reference as never, { type: "Warning", reason, message: `${message} ${key}: ${text}` });
        throw error;
      };
      const api = client.core.v1.endpoints(namespace);
      const written = current
        ? await api
            .update(next)
            .catch((error: unknown) => fail("FailedToUpdateEndpoint", "Failed to update endpoint", error))
        : await api.create(next).catch((error: unknown) => {
            // Every creation fails until the namespace is gone, and takes the service with it.
            if (statusCause(error, "NamespaceTerminating")) return undefined;
            return fail("FailedToCreateEndpoint", "Failed to create endpoint for service", error);
          });
      const owner = { key, uid: service.metadata?.uid ?? "" };
      consistency.wroteAt(owner, resource, written?.metadata?.resourceVersion ?? "");
    }

    loop.watch(services);
    watchPodsOfServices(loop, pods, { services, delayMs: settings.endpointUpdatesBatchPeriodMs ?? 0 });
    loop.handle(endpoints, {
      onAdd(object, isInInitialList) {
        // Those whose service went while no controller ran.
        if (isInInitialList && getOwn(object.metadata?.annotations, leaderAnnotation) === undefined)
          loop.queue.add(keyOf(object));
      },
      onDelete: (object) => loop.queue.add(keyOf(object)),
    });
    return loop;
  },
};
