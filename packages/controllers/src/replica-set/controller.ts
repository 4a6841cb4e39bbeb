import type { ReplicaSet } from "@coxswain/api/apps/v1";
import { labelSelectorFromObject } from "@coxswain/apimachinery/selector";
import type { Controller } from "../controller/controller.js";
import { controllerRefOf } from "../pods/controller-ref.js";
import { startReplicaManager } from "./replica-manager.js";
import { replicaSetsByController, replicaSetsOf } from "./replica-sets-of-owner.js";

export const replicaSetKind = { group: "apps", version: "v1", kind: "ReplicaSet" };

/** Keeps as many pods as each ReplicaSet asks for. */
export const replicaSetController: Controller = {
  name: "replicaset-controller",
  aliases: ["replicaset"],
  serviceAccount: "replicaset-controller",
  start(context) {
    const { client, informers, gates } = context;
    const owners = informers.of("apps", "v1", "replicasets", { indexers: replicaSetsByController });
    return startReplicaManager(context, {
      kind: replicaSetKind,
      resource: { group: "apps", resource: "replicasets" },
      name: "replicaset-controller",
      component: "replicaset-controller",
      queue: "replicaset",
      owners,
      selectorOf: ({ spec }) => labelSelectorFromObject(spec?.selector),
      get: ({ metadata }) => client.apps.v1.replicasets(metadata?.namespace ?? "").get(metadata?.name ?? ""),
      updateStatus: (owner, status) =>
        client.apps.v1.replicasets(owner.metadata?.namespace ?? "").updateStatus({ ...(owner as ReplicaSet), status }),
      siblingsOf(owner) {
        const uid = controllerRefOf(owner)?.uid;
        return uid === undefined ? [] : replicaSetsOf(owners.indexer, uid);
      },
      hasTerminatingReplicas: gates.enabled("DeploymentReplicaSetTerminatingReplicas"),
      isConsistent: gates.enabled("StaleControllerConsistencyReplicaSet"),
    });
  },
};
