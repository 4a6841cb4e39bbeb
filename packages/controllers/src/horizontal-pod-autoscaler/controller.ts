import { createLister, keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { referenceOf } from "../pods/pod-control.js";
import { createAutoscalerMetrics } from "./autoscaler-metrics.js";
import type { AutoscalerWork } from "./autoscaler-work.js";
import { createControllingAutoscalers } from "./controlling-autoscalers.js";
import { createMetricsApis } from "./metrics-apis.js";
import type { CachedAutoscaler } from "./plan.js";
import { reconcileAutoscaler } from "./reconcile-autoscaler.js";

const kind = { group: "autoscaling", version: "v2", kind: "HorizontalPodAutoscaler" };

/** Scales the targets of HorizontalPodAutoscalers by their metrics. */
export const horizontalPodAutoscalerController: Controller = {
  name: "horizontal-pod-autoscaler-controller",
  aliases: ["horizontalpodautoscaling"],
  serviceAccount: "horizontal-pod-autoscaler",
  start(context) {
    const { client, informers, gates, runtime, settings } = context;
    const { autoscalerSyncPeriodMs: syncPeriodMs = 15_000 } = settings;
    const autoscalers = informers.of("autoscaling", "v2", "horizontalpodautoscalers");
    const pods = informers.of("core", "v1", "pods");
    const recorder = context.recorder("horizontal-pod-autoscaler");
    const work: AutoscalerWork = {
      client,
      runtime,
      gates,
      settings: {
        syncPeriodMs,
        downscaleWindowMs: settings.autoscalerDownscaleStabilizationMs ?? 300_000,
        tolerance: settings.autoscalerTolerance ?? 0.1,
        cpuInitializationMs: settings.autoscalerCpuInitializationMs ?? 300_000,
        initialReadinessMs: settings.autoscalerInitialReadinessMs ?? 30_000,
        source: settings.autoscalerMetrics ?? createMetricsApis(client),
      },
      metrics: createAutoscalerMetrics(runtime.metrics, () => autoscalers.indexer.list().length),
      controlling: createControllingAutoscalers(),
      histories: new Map(),
      autoscalerByKey: (key) => autoscalers.indexer.getByKey(key),
      podsIn: (namespace, selector) => createLister(pods.indexer).namespace(namespace).list(selector),
      record: (autoscaler, type, reason, message) =>
        recorder.event(referenceOf(autoscaler, kind), { type, reason, message }),
    };

    const loop = createReconcileLoop(context, {
      name: "horizontalpodautoscaler",
      workers: settings.concurrency?.["horizontal-pod-autoscaler-controller"] ?? 5,
      reconcile: (key) => reconcileAutoscaler(work, key),
    });
    // Metrics are no events: each autoscaler is looked at once per period, and not sooner when it changes.
    const wake = (autoscaler: CachedAutoscaler): void => loop.queue.addAfter(keyOf(autoscaler), syncPeriodMs);
    loop.handle(autoscalers, {
      onAdd: wake,
      onUpdate: (_, autoscaler) => wake(autoscaler),
      onDelete(autoscaler) {
        work.controlling.forget(keyOf(autoscaler));
        work.histories.delete(keyOf(autoscaler));
      },
    });

    return loop;
  },
};
