import { isAlreadyExists, statusCause } from "@coxswain/apimachinery/status";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { planAccounts, standardAccounts } from "./plan.js";

/** Gives every namespace its `default` service account, and gives it back when somebody deletes it. */
export const serviceAccountController: Controller = {
  name: "serviceaccount-controller",
  aliases: ["serviceaccount"],
  serviceAccount: "service-account-controller",
  start(context) {
    const { client, informers } = context;
    const namespaces = informers.of("core", "v1", "namespaces");
    const accounts = informers.of("core", "v1", "serviceaccounts");
    const loop = createReconcileLoop(context, {
      name: "serviceaccount",
      workers: 1,
      async reconcile(namespace) {
        const missing = planAccounts(namespaces.indexer.getByKey(namespace), (name) =>
          accounts.indexer.getByKey(`${namespace}/${name}`),
        );
        for (const name of missing) {
          const account = { metadata: { name, namespace } };
          await client.core.v1
            .serviceaccounts(namespace)
            .create(account)
            .catch((error: unknown) => {
              // Somebody else made it, or the namespace is going away.
              if (!isAlreadyExists(error) && !statusCause(error, "NamespaceTerminating")) throw error;
            });
        }
      },
    });
    loop.watch(namespaces);
    loop.watchFor(accounts, ({ metadata }) =>
      standardAccounts.includes(metadata?.name ?? "") ? [metadata?.namespace] : [],
    );
    return loop;
  },
};
