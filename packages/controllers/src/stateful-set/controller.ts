import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { selectorOf } from "../controller/object-facts.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { podsByController } from "../pods/pods-of-owner.js";
import { watchPods } from "../pods/watch-pods.js";
import { statefulSetKind } from "./identity.js";
import { reconcileStatefulSet } from "./reconcile-stateful-set.js";
import { createStatefulSetWork } from "./stateful-set-work.js";

/** Keeps pods with a number, a name and storage of their own, and brings them to the set's template one after the other. */
export const statefulSetController: Controller = {
  name: "statefulset-controller",
  aliases: ["statefulset"],
  serviceAccount: "statefulset-controller",
  start(context) {
    const { informers, settings } = context;
    const sets = informers.of("apps", "v1", "statefulsets");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByController });
    const claims = informers.of("core", "v1", "persistentvolumeclaims");
    const work = createStatefulSetWork(context, { sets: sets.indexer, pods: pods.indexer, claims: claims.indexer });
    const loop = createReconcileLoop(context, {
      name: "statefulset",
      workers: settings.concurrency?.["statefulset-controller"] ?? 5,
      reconcile: (key) => reconcileStatefulSet(work, key),
    });
    loop.handle(sets, {
      onAdd: (set) => loop.queue.add(keyOf(set)),
      onUpdate: (_, set) => loop.queue.add(keyOf(set)),
      onDelete: (set) => loop.queue.add(keyOf(set)),
    });
    const wakeWaiting = (): void => {
      for (const key of work.waiting) loop.queue.add(key);
      work.waiting.clear();
    };
    loop.handle(claims, { onAdd: wakeWaiting, onUpdate: wakeWaiting });
    watchPods(loop, pods, {
      kind: statefulSetKind.kind,
      ownerByKey: (key) => sets.indexer.getByKey(key),
      mayAdopt: (pod) => mayAdopt(sets.indexer, selectorOf, pod),
      minReadySeconds: ({ spec }) => spec?.minReadySeconds ?? 0,
    });
    return loop;
  },
};
