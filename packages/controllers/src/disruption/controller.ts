import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { runTogether } from "../controller/run-together.js";
import { createExpectedScale } from "./expected-scale.js";
import { staleIn } from "./plan.js";
import { budgetsOf, clearStale, type DisruptionWork, reconcileBudget } from "./reconcile-budget.js";

/** Computes how many pods of each budget may be evicted. */
export const disruptionController: Controller = {
  name: "disruption-controller",
  aliases: ["disruption"],
  serviceAccount: "disruption-controller",
  start(context) {
    const { client, informers, runtime } = context;
    const budgets = informers.of("policy", "v1", "poddisruptionbudgets");
    const pods = informers.of("core", "v1", "pods");
    const now = (): number => runtime.clock.now();
    const work: DisruptionWork = {
      client,
      recorder: context.recorder("controllermanager"),
      now,
      expectedScale: createExpectedScale(client, informers),
      budgets: budgets.indexer,
      pods: pods.indexer,
    };
    const loop = createReconcileLoop(context, {
      name: "disruption",
      workers: 1,
      reconcile: (key) => reconcileBudget(work, key),
    });
    const stale = createReconcileLoop(context, {
      name: "stale_pod_disruption",
      workers: 1,
      reconcile: (key) => clearStale(work, key),
    });
    loop.watch(budgets);
    loop.watchFor(pods, (pod) => budgetsOf(work, pod).map(keyOf));
    stale.watchFor(pods, (pod) => (staleIn(pod, now()) === undefined ? [] : [keyOf(pod)]));

    return runTogether(loop, stale);
  },
};
