import type { ReplicationController } from "@coxswain/api/core/v1";
import { nothing, selectorFromLabels } from "@coxswain/apimachinery/selector";
import type { Controller } from "../controller/controller.js";
import { startReplicaManager } from "../replica-set/replica-manager.js";

/** Keeps as many pods as each ReplicationController asks for, as the ReplicaSet controller does. */
export const replicationControllerController: Controller = {
  name: "replicationcontroller-controller",
  aliases: ["replicationcontroller"],
  serviceAccount: "replication-controller",
  start(context) {
    const { client, informers } = context;
    return startReplicaManager(context, {
      kind: { group: "", version: "v1", kind: "ReplicationController" },
      resource: { group: "", resource: "replicationcontrollers" },
      name: "replicationcontroller-controller",
      component: "replication-controller",
      queue: "replicationmanager",
      owners: informers.of("core", "v1", "replicationcontrollers"),
      selectorOf: ({ spec }) => (spec?.selector === undefined ? nothing : selectorFromLabels(spec.selector)),
      get: ({ metadata }) => client.core.v1.replicationcontrollers(metadata?.namespace ?? "").get(metadata?.name ?? ""),
      updateStatus: (owner, status) =>
        client.core.v1
          .replicationcontrollers(owner.metadata?.namespace ?? "")
          .updateStatus({ ...(owner as ReplicationController), status }),
      siblingsOf: () => [],
      hasTerminatingReplicas: false,
      isConsistent: false,
    });
  },
};
