import { isConflict, isNotFound } from "@coxswain/apimachinery/status";
import { keyOf, namespaceIndex } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { tokenNamespace, tokenType } from "../token-cleaner/plan.js";
import { planSignatures } from "./plan.js";

const clusterInfo = "kube-public/cluster-info";

/** Signs the public cluster-info with every bootstrap token, so that a machine with a token can trust what it reads there. */
export const bootstrapSignerController: Controller = {
  name: "bootstrap-signer-controller",
  aliases: ["bootstrapsigner"],
  serviceAccount: "bootstrap-signer",
  isOnByDefault: false,
  start(context) {
    const { client, informers } = context;
    const { clock } = context.runtime;
    const configMaps = informers.of("core", "v1", "configmaps");
    const secrets = informers.of("core", "v1", "secrets");
    const loop = createReconcileLoop(context, {
      name: "bootstrap_signer_queue",
      workers: 1,
      async reconcile(key) {
        const existing = configMaps.indexer.getByKey(key);
        const signed =
          existing && planSignatures(existing, secrets.indexer.byIndex(namespaceIndex, tokenNamespace), clock.now());
        if (!signed) return;
        await client.core.v1
          .configmaps(signed.metadata?.namespace)
          .update(signed)
          .catch((error: unknown) => {
            // The change that came between wakes this again.
            if (!isConflict(error) && !isNotFound(error)) throw error;
          });
      },
    });
    loop.watchFor(configMaps, (configMap) => (keyOf(configMap) === clusterInfo ? [clusterInfo] : []));
    loop.watchFor(secrets, ({ metadata, type }) =>
      type === tokenType && metadata?.namespace === tokenNamespace ? [clusterInfo] : [],
    );
    return loop;
  },
};
