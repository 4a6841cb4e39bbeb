import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { planRules } from "./plan.js";

/** Fills cluster roles that have an aggregation rule with the rules of the roles that it selects. */
export const clusterRoleAggregationController: Controller = {
  name: "clusterrole-aggregation-controller",
  aliases: ["clusterrole-aggregation"],
  serviceAccount: "clusterrole-aggregation-controller",
  start(context) {
    const { client, informers } = context;
    const roles = informers.of("rbac", "v1", "clusterroles");
    const loop = createReconcileLoop(context, {
      name: "ClusterRoleAggregator",
      workers: 5,
      async reconcile(name) {
        const role = roles.indexer.getByKey(name);
        const rules = role && planRules(role, roles.indexer.list());
        if (!rules) return;
        await client.rbac.v1
          .clusterroles()
          .apply({ metadata: { name }, rules }, { fieldManager: "clusterrole-aggregation-controller", force: true });
      },
    });
    // Any role may be selected by any other, and those that select are few.
    loop.watchFor(roles, () =>
      roles.indexer.list().map(({ aggregationRule, metadata }) => (aggregationRule ? metadata?.name : undefined)),
    );
    return loop;
  },
};
