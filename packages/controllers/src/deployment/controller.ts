import { equalJson } from "@coxswain/apimachinery/json";
import type { Selector } from "@coxswain/apimachinery/selector";
import { claimObjects } from "@coxswain/client/controller";
import { createLister, keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { selectorOf } from "../controller/object-facts.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import { controllerRefOf } from "../pods/controller-ref.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { isNamespaceTerminating, referenceOf } from "../pods/pod-control.js";
import { podsByController, podsOfOwner } from "../pods/pods-of-owner.js";
import { type CachedReplicaSet, replicaSetsByController } from "../replica-set/replica-sets-of-owner.js";
import { type CachedDeployment, kindOfDeployment } from "./deployment-strategy.js";
import { createDeploymentReconciler } from "./reconcile-deployment.js";
import { createReplicaSetWrites } from "./replica-set-writes.js";

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
    const recorder = context.recorder("deployment-controller");
    const now = (): number => runtime.clock.now();
    const writes = createReplicaSetWrites({
      client,
      recorder,
      now,
      cached: (key) => replicaSets.indexer.getByKey(key),
    });
    const reconcile = createDeploymentReconciler({
      client,
      recorder,
      writes,
      now,
      hasTerminatingReplicas: gates.enabled("DeploymentReplicaSetTerminatingReplicas"),
      podsOf: (replicaSet) => podsOfOwner(pods.indexer, replicaSet, "ReplicaSet", { withOrphans: false }),
    });

    const loop = createReconcileLoop(context, {
      name: "deployment",
      workers: settings.concurrency?.["deployment-controller"] ?? 5,
      async reconcile(key) {
        const deployment = deployments.indexer.getByKey(key);
        if (!deployment) return;
        const selector = selectorOf(deployment);
        if (selector.empty && !selector.nothing) return refuse(deployment);
        try {
          return await reconcile(deployment, await claim(deployment, selector));
        } catch (error) {
          // The namespace takes the Deployment with it.
          if (!isNamespaceTerminating(error)) throw error;
        }
      },
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

    const claim = (deployment: CachedDeployment, selector: Selector): Promise<CachedReplicaSet[]> => {
      const { namespace = "", name = "" } = deployment.metadata ?? {};
      return claimObjects(createLister(replicaSets.indexer).namespace(namespace).list(), {
        controller: deployment,
        kind: kindOfDeployment,
        selector,
        canAdopt: () => checkCanAdopt("Deployment", deployment, () => client.apps.v1.deployments(namespace).get(name)),
        patch: ({ metadata }, patch) =>
          client.apps.v1
            .replicasets(namespace)
            .patch(metadata?.name ?? "", { strategic: patch as Record<string, unknown> }),
      });
    };

    async function refuse(deployment: CachedDeployment): Promise<void> {
      recorder.event(referenceOf(deployment, kindOfDeployment), {
        type: "Warning",
        reason: "SelectingAll",
        message: "This deployment is selecting all pods. A non-empty selector is required.",
      });
      const { generation = 0 } = deployment.metadata ?? {};
      if ((deployment.status?.observedGeneration ?? 0) < generation)
        await writes.updateStatus(deployment, { ...deployment.status, observedGeneration: generation });
    }
    return loop;
  },
};
