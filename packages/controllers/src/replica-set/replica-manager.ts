import { keyOf } from "@coxswain/client/informers";
import type { ControllerContext, RunningController } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { podsByController } from "../pods/pods-of-owner.js";
import { watchPods } from "../pods/watch-pods.js";
import type { ReplicaOwner } from "./plan.js";
import { reconcileReplicas } from "./reconcile-replicas.js";
import { createReplicaWork, type ReplicaKind } from "./replica-work.js";

/** Keeps as many pods as each owner asks for. */
export function startReplicaManager<T extends ReplicaOwner>(
  context: ControllerContext,
  replicas: ReplicaKind<T>,
): RunningController {
  const { informers, settings } = context;
  const { kind, owners } = replicas;
  const pods = informers.of("core", "v1", "pods", { indexers: podsByController });
  const work = createReplicaWork(context, replicas, pods.indexer);
  const { consistency, expectations } = work;
  const forget = (owner: T): void => {
    consistency.clear(keyOf(owner), owner.metadata?.uid);
    expectations.forget(keyOf(owner));
  };

  const loop = createReconcileLoop(context, {
    name: replicas.queue,
    workers: settings.concurrency?.[replicas.name] ?? 5,
    reconcile: (key) => reconcileReplicas(work, key),
  });
  loop.handle(owners, {
    onAdd: (owner) => loop.queue.add(keyOf(owner)),
    onUpdate(old, owner) {
      if (old.metadata?.uid !== owner.metadata?.uid) forget(old);
      loop.queue.add(keyOf(owner));
    },
    onDelete(owner) {
      forget(owner);
      loop.queue.add(keyOf(owner));
    },
  });
  watchPods(loop, pods, {
    kind: kind.kind,
    ownerByKey: (key) => owners.indexer.getByKey(key),
    mayAdopt: (pod) => mayAdopt(owners.indexer, (owner) => replicas.selectorOf(owner), pod),
    expectations,
    minReadySeconds: ({ spec }) => spec?.minReadySeconds ?? 0,
  });
  return loop;
}
