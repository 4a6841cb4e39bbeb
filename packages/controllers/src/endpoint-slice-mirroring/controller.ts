import { splitObjectKey } from "@coxswain/apimachinery/meta";
import { keyOf } from "@coxswain/client/informers";
import { createBucketLimiter, createItemBackoff, maxOfLimiters, type WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { isManagedBy, serviceIndex, slicesByService } from "../service-endpoints/slice-labels.js";
import { recycle } from "../service-endpoints/slice-plan.js";
import { createSliceTracker } from "../service-endpoints/slice-tracker.js";
import { watchSlices } from "../service-endpoints/watch-slices.js";
import { writeSlices } from "../service-endpoints/write-slices.js";
import { createMirrorMetrics } from "./metrics.js";
import { managerName, mayMirror, planMirror } from "./plan.js";

/** The first retry and the wait for a cache that is behind. */
const retryMs = 1_000;
const defaultMaxPerSubset = 1_000;

/** Makes EndpointSlices of the Endpoints that people write for services without a selector. */
export const endpointSliceMirroringController: Controller = {
  name: "endpointslice-mirroring-controller",
  aliases: ["endpointslicemirroring"],
  serviceAccount: "endpointslicemirroring-controller",
  start(context) {
    const { client, informers, settings } = context;
    const { clock } = context.runtime;
    const services = informers.of("core", "v1", "services");
    const endpoints = informers.of("core", "v1", "endpoints");
    const slices = informers.of("discovery", "v1", "endpointslices", { indexers: slicesByService });
    const recorder = context.recorder("endpoint-slice-mirroring-controller");
    const { mirroringMaxEndpointsPerSubset: maxPerSubset = defaultMaxPerSubset } = settings;
    const tracker = createSliceTracker();
    const metrics = createMirrorMetrics(context.runtime.metrics, maxPerSubset);

    const loop = createReconcileLoop(context, {
      name: "endpoint_slice_mirroring",
      workers: settings.concurrency?.["endpointslice-mirroring-controller"] ?? 5,
      rateLimiter: maxOfLimiters(
        createItemBackoff<string>({ baseMs: retryMs, maxMs: 100_000 }),
        createBucketLimiter({ perSecond: 10, burst: 100, clock }),
      ),
      async reconcile(key) {
        const began = clock.monotonic();
        try {
          return await mirror(key);
        } finally {
          metrics.synced((clock.monotonic() - began) / 1000);
        }
      },
    });

    async function mirror(key: string): Promise<WorkResult> {
      const { namespace, name } = splitObjectKey(key) ?? { namespace: "", name: "" };
      const object = endpoints.indexer.getByKey(key);
      const service = services.indexer.getByKey(key);
      const existing = slices.indexer.byIndex(serviceIndex, key).filter((slice) => isManagedBy(slice, managerName));
      const options = { client, tracker, namespace, owner: `Endpoints ${key}`, onWrite: metrics.changed };
      if (!object || !mayMirror(object) || !service || service.spec?.selector) {
        await writeSlices({ create: [], update: [], remove: existing }, { ...options, isOwnerGoing: true });
        tracker.forget(key);
        metrics.forget(key);
        return;
      }
      if (tracker.isBehind(key, existing)) return { requeueAfterMs: retryMs };
      const plan = planMirror({ endpoints: object, existing, maxPerSubset });
      metrics.planned(key, plan);
      const reference = { apiVersion: "v1", kind: "Endpoints", name, namespace, uid: object.metadata?.uid ?? "" };
      const warn = (reason: string, message: string): void =>
        recorder.event(reference, { type: "Warning", reason, message });
      if (plan.invalid > 0)
        warn("InvalidIPAddress", `Skipped ${plan.invalid} invalid IP addresses when mirroring to EndpointSlices`);
      if (plan.skipped > plan.invalid)
        warn(
          "TooManyAddressesToMirror",
          `A max of ${maxPerSubset} addresses can be mirrored to EndpointSlices per Endpoints subset. ${plan.skipped} addresses were skipped`,
        );
      for (const slice of plan.unchanged) if (tracker.shouldSync(slice)) tracker.wrote(slice);
      const isOwnerGoing = Boolean(object.metadata?.deletionTimestamp);
      await writeSlices(
        recycle(plan, () => true),
        { ...options, isOwnerGoing },
      );
    }

    loop.watchFor(endpoints, (object, old) => (mayMirror(object) || (old && mayMirror(old)) ? [keyOf(object)] : []));
    loop.watchFor(services, (service, old) => {
      const [has, had] = [service, old].map((each) => Boolean(each?.spec?.selector));
      return (old ? has !== had : !has) ? [keyOf(service)] : [];
    });
    watchSlices(loop, slices, {
      manager: managerName,
      tracker,
      delayMs: settings.mirroringEndpointSliceUpdatesBatchPeriodMs ?? 0,
    });
    return loop;
  },
};
