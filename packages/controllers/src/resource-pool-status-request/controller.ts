import type { ResourcePoolStatusRequest } from "@coxswain/api/resource/v1alpha3";
import { isNotFound } from "@coxswain/apimachinery/status";
import { formatTime } from "@coxswain/apimachinery/time";
import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import { exponentialBuckets } from "@coxswain/runtime/metrics";
import type { Controller, ControllerContext } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { claimsByPool, devicePoolIndex, poolKey } from "../resource-claims/indexes.js";
import { type CachedRequest, expiryMs, poolStatuses } from "./plan.js";

const byDriver = "driver";

/** Answers how many devices of a driver's pools are free, and deletes requests and answers that are old. */
export const resourcePoolStatusRequestController: Controller = {
  name: "resourcepoolstatusrequest-controller",
  aliases: [],
  serviceAccount: "resourcepoolstatusrequest-controller",
  gates: ["DRAResourcePoolStatus"],
  start(context) {
    const { client, informers } = context;
    const { clock } = context.runtime;
    const requests = informers.of("resource", "v1alpha3", "resourcepoolstatusrequests", {
      indexers: { [byDriver]: ({ spec, status }) => (status ? [] : [spec.driver]) },
    });
    const slices = informers.of("resource", "v1", "resourceslices", {
      indexers: { [byDriver]: ({ spec }) => [spec.driver] },
    });
    const claims = informers.of("resource", "v1", "resourceclaims", { indexers: claimsByPool });
    const metrics = createMetrics(context);
    const allocatedIn = (driver: string) => (pool: string) =>
      claims.indexer
        .byIndex(devicePoolIndex, poolKey(driver, pool))
        .flatMap(({ status }) => status?.allocation?.devices?.results ?? [])
        .filter((result) => result.driver === driver && result.pool === pool).length;

    const loop = createReconcileLoop(context, {
      name: "resourcepoolstatusrequest",
      workers: 1,
      async reconcile(name): Promise<WorkResult> {
        const request = requests.indexer.getByKey(name);
        if (!request) return;
        if (expiryMs(request) < clock.now()) return remove(request);
        if (!request.status) await answer(request);
        return { requeueAfterMs: expiryMs(request) - clock.now() + 1 };
      },
    });

    async function answer(request: CachedRequest): Promise<void> {
      const { driver } = request.spec;
      const status = poolStatuses({
        request,
        slices: slices.indexer.byIndex(byDriver, driver),
        allocated: allocatedIn(driver),
        now: formatTime(clock.now()),
      });
      if (!status) return; // the driver's next slice wakes it
      const since = clock.monotonic();
      try {
        await client.resource.v1alpha3
          .resourcepoolstatusrequests()
          .updateStatus({ ...(request as ResourcePoolStatusRequest), status });
      } catch (error) {
        metrics.failures.with(driver).add(1);
        throw error;
      } finally {
        metrics.processed.with(driver).add(1);
        metrics.durations.with(driver).observe((clock.monotonic() - since) / 1000);
      }
    }
    async function remove({ metadata }: CachedRequest): Promise<void> {
      const preconditions = metadata.uid ? { preconditions: { uid: metadata.uid } } : {};
      await client.resource.v1alpha3
        .resourcepoolstatusrequests()
        .delete(metadata.name ?? "", preconditions)
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
    }
    loop.watch(requests);
    loop.watchFor(slices, ({ spec }) => requests.indexer.byIndex(byDriver, spec.driver).map(keyOf));
    return loop;
  },
};

/** Under upstream's names (pkg/controller/resourcepoolstatusrequest/metrics/metrics.go). */
function createMetrics({ runtime: { metrics } }: ControllerContext) {
  const prefix = "resourcepoolstatusrequest_controller_";
  const common = { stability: "ALPHA" as const, labels: ["driver_name"] };
  return {
    processed: metrics.counter({
      ...common,
      name: `${prefix}requests_processed_total`,
      help: "ResourcePoolStatusRequests that were processed",
    }),
    failures: metrics.counter({
      ...common,
      name: `${prefix}request_processing_errors_total`,
      help: "Errors in processing ResourcePoolStatusRequests",
    }),
    durations: metrics.histogram({
      ...common,
      name: `${prefix}request_processing_duration_seconds`,
      help: "How long a ResourcePoolStatusRequest took",
      buckets: exponentialBuckets(0.001, 2, 15),
    }),
  };
}
