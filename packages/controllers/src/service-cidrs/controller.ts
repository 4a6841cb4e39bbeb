import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import type { Controller } from "../controller/controller.js";
import { ignoreGone } from "../controller/ignore-gone.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { containing, finalizer, mayDelete, overlapping, planServiceCidr, type ReadyCondition } from "./plan.js";

const manager = "service-cidr-controller";

/** Keeps ranges of service addresses for as long as a service has an address from them, and reports whether they may be used. */
export const serviceCidrsController: Controller = {
  name: "service-cidr-controller",
  aliases: [],
  serviceAccount: "service-cidrs-controller",
  gates: ["MultiCIDRServiceAllocator"],
  start(context) {
    const { client, informers } = context;
    const { clock } = context.runtime;
    const ranges = informers.of("networking", "v1", "servicecidrs");
    const addresses = informers.of("networking", "v1", "ipaddresses");
    const recorder = context.recorder(manager);
    const objects = client.networking.v1.servicecidrs();
    const loop = createReconcileLoop(context, {
      name: "ipaddresses",
      async reconcile(name) {
        const range = ranges.indexer.getByKey(name);
        if (!range) return;
        const deleted = range.metadata?.deletionTimestamp;
        const plan = planServiceCidr(range, {
          mayGo: () => mayDelete(range, { all: ranges.indexer.list(), addresses: addresses.indexer.list() }),
          deletedMs: deleted ? parseTimeMs(deleted) : undefined,
          nowMs: clock.now(),
        });
        if (plan.kind === "wait") return { requeueAfterMs: plan.ms };
        if (plan.kind === "release") {
          if (!range.metadata?.finalizers?.includes(finalizer)) return;
          const patch = { metadata: { "$deleteFromPrimitiveList/finalizers": [finalizer] } };
          await objects.patch(name, { strategic: patch }).catch(ignoreGone);
          return;
        }
        if (plan.addFinalizer)
          await objects.patch(name, { strategic: { metadata: { finalizers: [finalizer] } } }).catch(ignoreGone);
        if (plan.condition) await setCondition(name, plan.condition);
      },
    });

    async function setCondition(name: string, condition: ReadyCondition): Promise<void> {
      const status = { conditions: [{ ...condition, lastTransitionTime: formatTime(clock.now()) }] };
      await objects
        .applyStatus({ metadata: { name }, status }, { fieldManager: manager, force: true })
        .catch((error: unknown) => {
          if (condition.status === "True")
            recorder.event(
              { apiVersion: "networking.k8s.io/v1", kind: "ServiceCIDR", name },
              {
                type: "Warning",
                reason: "KubernetesServiceCIDRError",
                message: "The ServiceCIDR Status can not be set to Ready=True",
              },
            );
          throw error;
        });
    }

    loop.watchFor(ranges, (range, old) => [
      range.metadata?.name,
      // A new range may free an older one that is part of it.
      ...(old ? [] : overlapping(range, ranges.indexer.list())),
    ]);
    loop.watchFor(addresses, (address, old) => (old ? [] : containing(address, ranges.indexer.list())));
    return loop;
  },
};
