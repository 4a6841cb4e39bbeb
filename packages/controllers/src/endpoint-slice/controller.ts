import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { selectorFromLabels } from "@coxswain/apimachinery/selector";
import { createLister, keyOf } from "@coxswain/client/informers";
import { createBucketLimiter, createItemBackoff, maxOfLimiters } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedPod } from "../pods/pod-state.js";
import { servicesBySelector, watchPodsOfServices } from "../service-endpoints/services-of-pod.js";
import { isManagedBy, serviceIndex, slicesByService } from "../service-endpoints/slice-labels.js";
import { recycle, type Slice, type SliceChanges } from "../service-endpoints/slice-plan.js";
import { createSliceTracker } from "../service-endpoints/slice-tracker.js";
import { createTriggerTimes, withTriggerTime } from "../service-endpoints/trigger-times.js";
import { watchSlices } from "../service-endpoints/watch-slices.js";
import { writeSlices } from "../service-endpoints/write-slices.js";
import { createHintState } from "./hint-state.js";
import { createSliceMetrics, type FamilyTotals } from "./metrics.js";
import { isOwnedBy, managerName } from "./new-slice.js";
import { familiesOf, planSlices, type SlicePlan } from "./plan.js";
import { zoneLabel } from "./pod-endpoint.js";
import { asksForZoneHints, trafficDistributionOf } from "./traffic-distribution.js";
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
    const hasPreferSame = gates.enabled("PreferSameTrafficDistribution");
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
          triggerTimes.forget(key);
          tracker.forget(key);
          hints.forget(key);
          metrics.forget(key);
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
          await bringInLine(service, selected, existing);
          metrics.synced("success");
        } catch (error) {
          metrics.synced("error");
          const message = `Error updating Endpoint Slices for Service ${key}: ${error instanceof Error ? error.message : String(error)}`;
          report(service, { type: "Warning", reason: "FailedToUpdateEndpointSlices", message });
          throw error;
        }
      },
    });

    function report(service: DeepReadonly<Service>, event: Parameters<typeof recorder.event>[1]): void {
      recorder.event({ ...service, apiVersion: "v1", kind: "Service" } as never, event);
    }

    async function bringInLine(
      service: DeepReadonly<Service>,
      selected: readonly CachedPod[],
      existing: readonly Slice[],
    ): Promise<void> {
      const key = keyOf(service);
      const families = familiesOf(service);
      const trigger = triggerTimes.next(service, selected);
      const write = (changes: SliceChanges): Promise<void> =>
        writeSlices(
          {
            create: changes.create.map((slice) => triggeredAt(slice, trigger)),
            update: changes.update.map((slice) => triggeredAt(slice, trigger)),
            remove: changes.remove,
          },
          {
            client,
            tracker,
            namespace: service.metadata?.namespace ?? "",
            owner: `Service ${key}`,
            isOwnerGoing: Boolean(service.metadata?.deletionTimestamp),
            onWrite: metrics.changed,
          },
        );
      const failures: unknown[] = [];
      for (const family of families) {
        const ofFamily = existing.filter(({ addressType }) => addressType === family);
        const plan = planSlices({
          service,
          pods: selected,
          existing: ofFamily,
          family,
          nodeByName: (name) => nodes.indexer.getByKey(name),
          maxPerSlice: maxEndpointsPerSlice,
        });
        const changed = new Set([...plan.update, ...plan.remove].map(({ metadata }) => metadata?.name));
        const hinted = hints.hint(service, {
          family,
          slices: { ...plan, unchanged: ofFamily.filter(({ metadata }) => !changed.has(metadata?.name)) },
          ratios,
          hasPreferSame,
          report: (event) => report(service, event),
        });
        const changes = recycle({ ...hinted, remove: plan.remove }, (unused) => isOwnedBy(unused, service));
        await write(changes).catch((error) => failures.push(error));
        metrics.placed(
          key,
          family,
          totalsOf(plan, {
            slices: ofFamily.length + changes.create.length - changes.remove.length,
            maxPerSlice: maxEndpointsPerSlice,
          }),
          {
            added: plan.added,
            removed: plan.removed,
            changed: changes.create.length + changes.update.length + changes.remove.length,
            hasZoneHints: asksForZoneHints(service),
            trafficDistribution: trafficDistributionOf(service, { hasPreferSame }),
          },
        );
        for (const { metadata, spec } of plan.nodeless)
          failures.push(
            new Error(`skipping Pod ${metadata?.name} for Service ${key}: Node ${spec?.nodeName} Not Found`),
          );
      }
      const unsupported = existing.filter(({ addressType }) => !families.some((family) => family === addressType));
      for (const { addressType } of unsupported) hints.forget(key, addressType as never);
      await write({ create: [], update: [], remove: unsupported }).catch((error) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    }

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

/** For metrics. A service without endpoints has one slice. */
const totalsOf = (
  { groupSizes }: SlicePlan,
  { slices, maxPerSlice }: { readonly slices: number; readonly maxPerSlice: number },
): FamilyTotals => ({
  endpoints: groupSizes.reduce((total, size) => total + size, 0),
  slices,
  desiredSlices: Math.max(
    1,
    groupSizes.reduce((total, size) => total + Math.max(1, Math.ceil(size / maxPerSlice)), 0),
  ),
});

const triggeredAt = (slice: Slice, time: string | undefined): Slice => ({
  ...slice,
  metadata: { ...slice.metadata, annotations: withTriggerTime(slice.metadata?.annotations, time) },
});
