import { createBucketLimiter, createItemBackoff, maxOfLimiters } from "@coxswain/client/queue";
import type { ControllerContext } from "../controller/controller.js";
import { createReconcileLoop, type ReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedRequest } from "./request-state.js";

/** A loop over the certificate signing requests that have no certificate yet. */
export function createRequestLoop(
  context: ControllerContext,
  reconcile: (request: CachedRequest, name: string) => Promise<void>,
): ReconcileLoop {
  const requests = context.informers.of("certificates", "v1", "certificatesigningrequests");
  const loop = createReconcileLoop(context, {
    name: "certificate",
    workers: 5,
    rateLimiter: maxOfLimiters(
      createItemBackoff<string>({ baseMs: 200, maxMs: 1_000_000 }),
      createBucketLimiter({ perSecond: 10, burst: 100, clock: context.runtime.clock }),
    ),
    async reconcile(name) {
      const request = requests.indexer.getByKey(name);
      if (request && !request.status?.certificate) await reconcile(request, name);
    },
  });
  loop.watch(requests);
  return loop;
}
