import { equalJson } from "@coxswain/apimachinery/json";
import { createLister, keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { selectorOf } from "../controller/object-facts.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { controllerRefOf } from "../pods/controller-ref.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { podsByController, podsOfOwner } from "../pods/pods-of-owner.js";
import { type CachedReplicaSet, replicaSetsByController } from "../replica-set/replica-sets-of-owner.js";
import { kindOfDeployment } from "./deployment-strategy.js";
import type { DeploymentWork } from "./deployment-work.js";
import { reconcileDeployment } from "./reconcile-deployment.js";

/** Moves each Deployment's pods from one template to the next, by way of ReplicaSets. */
export const deploymentController: Controller = {
  name: "deployment-controller",
  aliases: ["deployment"],
  serviceAccount: "deployment-controller",
  start(context) {
    const { client, informers, gates, settings, runtime } = context;
    const deployments = informers.of("apps", "v1", "deployments");
    const replicaSets = informers.of("apps", "v1", "replicasets", { indexers: replicaSetsByController });
    const pods = informers.of("core", "v1", "pods", { indexers: podsByController });
    const work: DeploymentWork = {
      client,
      recorder: context.recorder("deployment-controller"),
      now: () => runtime.clock.now(),
      hasTerminatingReplicas: gates.enabled("DeploymentReplicaSetTerminatingReplicas"),
      deploymentByKey: (key) => deployments.indexer.getByKey(key),
      replicaSetByKey: (key) => replicaSets.indexer.getByKey(key),
      replicaSetsIn: (namespace) => createLister(replicaSets.indexer).namespace(namespace).list(),
      podsOf: (replicaSet) => podsOfOwner(pods.indexer, replicaSet, "ReplicaSet", { withOrphans: false }),
    };
    const loop = createReconcileLoop(context, {
      name: "deployment",
      workers: settings.concurrency?.["deployment-controller"] ?? 5,
      reconcile: (key) => reconcileDeployment(work, key),
    });
    loop.watch(deployments);
    loop.watchFor(replicaSets, (replicaSet, old) => {
      const reference = controllerRefOf(replicaSet);
      const hasOwnerChanged = old !== undefined && !equalJson(controllerRefOf(old), reference);
      const former = hasOwnerChanged ? [ownerKeyOf(old)] : [];
      if (reference) return [ownerKeyOf(replicaSet), ...former];
      const isNews = !old || hasOwnerChanged || !equalJson(old.metadata?.labels, replicaSet.metadata?.labels);
      return isNews ? [...former, ...mayAdopt(deployments.indexer, selectorOf, replicaSet).map(keyOf)] : former;
    });
    // A Deployment that recreates its pods waits until the last old one is gone.
    loop.handle(pods, {
      onDelete(pod) {
        const reference = controllerRefOf(pod);
        if (reference?.kind !== "ReplicaSet") return;
        const replicaSet = replicaSets.indexer.getByKey(`${pod.metadata?.namespace}/${reference.name}`);
        const key = replicaSet?.metadata?.uid === reference.uid && replicaSet ? ownerKeyOf(replicaSet) : undefined;
        const deployment = key === undefined ? undefined : deployments.indexer.getByKey(key);
        if (key !== undefined && deployment?.spec?.strategy?.type === "Recreate") loop.queue.add(key);
      },
    });

    function ownerKeyOf(replicaSet: CachedReplicaSet): string | undefined {
      const reference = controllerRefOf(replicaSet);
      if (reference?.kind !== kindOfDeployment.kind) return undefined;
      const key = `${replicaSet.metadata?.namespace}/${reference.name}`;
      return deployments.indexer.getByKey(key)?.metadata?.uid === reference.uid ? key : undefined;
    }

    return loop;
  },
};
