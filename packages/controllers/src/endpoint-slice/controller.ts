import { getOwn } from "@coxswain/apimachinery/own";
import { selectorFromLabels } from "@coxswain/apimachinery/selector";
import { createLister } from "@coxswain/client/informers";
import { createBucketLimiter, createItemBackoff, maxOfLimiters } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { servicesBySelector, watchPodsOfServices } from "../service-endpoints/services-of-pod.js";
import { isManagedBy, serviceIndex, slicesByService } from "../service-endpoints/slice-labels.js";
import { createSliceTracker } from "../service-endpoints/slice-tracker.js";
import { createTriggerTimes } from "../service-endpoints/trigger-times.js";
import { watchSlices } from "../service-endpoints/watch-slices.js";
import { createHintState } from "./hint-state.js";
import { createSliceMetrics } from "./metrics.js";
import { managerName } from "./new-slice.js";
import { zoneLabel } from "./pod-endpoint.js";
import { type ReportEvent, ServiceSlices } from "./service-slices.js";
import { isNodeReady, type ZoneRatios, zoneRatios } from "./zone-capacity.js";

/** Changes of slices by others are collected for so long. */
const sliceDelayMs = 1_000;
/** The first retry and the wait for a cache that is behind. */
const retryMs = 1_000;
const defaultMaxPerSlice = 100;
/** The key under which all nodes are weighed together, however many have changed. */
const allNodes = "nodes";

/** Keeps the EndpointSlices of services that select pods. */
export const endpointSliceController: Controller = {
  name: "endpointslice-controller",
  aliases: ["endpointslice"],
  serviceAccount: "endpointslice-controller",
  start(context) {
    const { client, gates, informers, settings, runtime } = context;
    const services = informers.of("core", "v1", "services", { indexers: servicesBySelector });
    const pods = informers.of("core", "v1", "pods");
    const nodes = informers.of("core", "v1", "nodes");
    const slices = informers.of("discovery", "v1", "endpointslices", { indexers: slicesByService });
    const recorder = context.recorder("endpoint-slice-controller");
    const { maxEndpointsPerSlice = defaultMaxPerSlice, endpointSliceUpdatesBatchPeriodMs: delayMs = 0 } = settings;
    const tracker = createSliceTracker();
    const triggerTimes = createTriggerTimes();
    const hints = createHintState();
    const metrics = createSliceMetrics(runtime.metrics);
    const report: ReportEvent = (service, event) =>
      recorder.event({ ...service, apiVersion: "v1", kind: "Service" } as never, event);
    const writer = new ServiceSlices({
      client,
      tracker,
      triggerTimes,
      hints,
      metrics,
      nodeByName: (name) => nodes.indexer.getByKey(name),
      maxPerSlice: maxEndpointsPerSlice,
      hasPreferSame: gates.enabled("PreferSameTrafficDistribution"),
      report,
    });
    let ratios: ZoneRatios | undefined;
    const weighZones = (): void => {
      ratios = zoneRatios(nodes.indexer.list());
      for (const key of hints.overloaded(ratios)) loop.queue.add(key);
    };

    const loop = createReconcileLoop(context, {
      name: "endpoint_slice",
      workers: settings.concurrency?.["endpointslice-controller"] ?? 5,
      rateLimiter: maxOfLimiters(
        createItemBackoff<string>({ baseMs: retryMs, maxMs: 1_000_000 }),
        createBucketLimiter({ perSecond: 10, burst: 100, clock: runtime.clock }),
      ),
      async reconcile(key) {
        if (key === allNodes) return weighZones();
        const service = services.indexer.getByKey(key);
        if (!service) {
          for (const known of [triggerTimes, tracker, hints, metrics]) known.forget(key);
          return;
        }
        // Others make the slices of services without a selector, and external names have none.
        if (service.spec?.type === "ExternalName" || !service.spec?.selector) return;
        const existing = slices.indexer
          .byIndex(serviceIndex, key)
          .filter((slice) => isManagedBy(slice, managerName) && !slice.metadata?.deletionTimestamp);
        if (tracker.isBehind(key, existing)) {
          metrics.synced("stale");
          return { requeueAfterMs: retryMs };
        }
        const selected = createLister(pods.indexer)
          .namespace(service.metadata?.namespace ?? "")
          .list(selectorFromLabels(service.spec.selector));
        try {
          await writer.bringInLine({ service, pods: selected, existing, ratios });
          metrics.synced("success");
        } catch (error) {
          metrics.synced("error");
          const message = `Error updating Endpoint Slices for Service ${key}: ${error instanceof Error ? error.message : String(error)}`;
          report(service, { type: "Warning", reason: "FailedToUpdateEndpointSlices", message });
          throw error;
        }
      },
    });

    loop.watch(services);
    watchPodsOfServices(loop, pods, { services, delayMs });
    watchSlices(loop, slices, { manager: managerName, tracker, delayMs: Math.max(sliceDelayMs, delayMs) });
    loop.watchFor(nodes, (node, old) => {
      const zoneOf = ({ metadata }: typeof node): string | undefined => getOwn(metadata?.labels, zoneLabel);
      return old && isNodeReady(old) === isNodeReady(node) && zoneOf(old) === zoneOf(node) ? [] : [allNodes];
    });
    return loop;
  },
};
