import { equalJson } from "@coxswain/apimachinery/json";
import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { selectorOf } from "../controller/object-facts.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { podsByController } from "../pods/pods-of-owner.js";
import { watchPods } from "../pods/watch-pods.js";
import { type CachedDaemonSet, daemonSetKind } from "./daemon-pod.js";
import { createDaemonSetWork } from "./daemon-set-work.js";
import { reconcileDaemonSet } from "./reconcile-daemon-set.js";

/** Keeps one pod of each DaemonSet on every node that it fits. */
export const daemonSetController: Controller = {
  name: "daemonset-controller",
  aliases: ["daemonset"],
  serviceAccount: "daemon-set-controller",
  start(context) {
    const { informers, settings } = context;
    const daemonSets = informers.of("apps", "v1", "daemonsets");
    const revisions = informers.of("apps", "v1", "controllerrevisions");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByController });
    const nodes = informers.of("core", "v1", "nodes");
    const work = createDaemonSetWork(context, {
      daemonSets: daemonSets.indexer,
      revisions: revisions.indexer,
      pods: pods.indexer,
      nodes: nodes.indexer,
    });
    const { consistency, expectations } = work;

    const loop = createReconcileLoop(context, {
      name: "daemonset",
      workers: settings.concurrency?.["daemonset-controller"] ?? 2,
      reconcile: (key) => reconcileDaemonSet(work, key),
    });
    loop.handle(daemonSets, {
      onAdd: (daemonSet) => loop.queue.add(keyOf(daemonSet)),
      onUpdate(old, daemonSet) {
        if (old.metadata?.uid !== daemonSet.metadata?.uid) forget(old);
        loop.queue.add(keyOf(daemonSet));
      },
      onDelete(daemonSet) {
        forget(daemonSet);
        loop.queue.add(keyOf(daemonSet));
      },
    });
    watchPods(loop, pods, {
      kind: daemonSetKind.kind,
      ownerByKey: (key) => daemonSets.indexer.getByKey(key),
      mayAdopt: (pod) => mayAdopt(daemonSets.indexer, selectorOf, pod),
      expectations: expectations.both,
      minReadySeconds: ({ spec }) => spec?.minReadySeconds ?? 0,
    });
    loop.watchFor(nodes, (node, old) =>
      old && equalJson(old.metadata?.labels, node.metadata?.labels) && equalJson(old.spec?.taints, node.spec?.taints)
        ? []
        : daemonSets.indexer.list().map(keyOf),
    );

    function forget(daemonSet: CachedDaemonSet): void {
      consistency.clear(keyOf(daemonSet), daemonSet.metadata?.uid);
      expectations.both.forget(keyOf(daemonSet));
    }

    return loop;
  },
};
