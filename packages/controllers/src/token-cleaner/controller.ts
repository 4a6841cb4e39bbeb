import { isConflict, isNotFound } from "@coxswain/apimachinery/status";
import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { tokenNamespace, tokenType, validForMs } from "./plan.js";

/** Deletes bootstrap tokens that have expired. */
export const tokenCleanerController: Controller = {
  name: "token-cleaner-controller",
  aliases: ["tokencleaner"],
  serviceAccount: "token-cleaner",
  isOnByDefault: false,
  start(context) {
    const { client, informers } = context;
    const { clock } = context.runtime;
    const secrets = informers.of("core", "v1", "secrets");
    const loop = createReconcileLoop(context, {
      name: "token_cleaner",
      workers: 1,
      async reconcile(key) {
        const secret = secrets.indexer.getByKey(key);
        if (secret?.type !== tokenType) return;
        const validMs = validForMs(secret, clock.now());
        if (validMs === undefined) return;
        if (validMs > 0) return { requeueAfterMs: validMs };
        const { name = "", namespace, uid } = secret.metadata ?? {};
        await client.core.v1
          .secrets(namespace)
          .delete(name, uid === undefined ? {} : { preconditions: { uid } })
          .catch((error: unknown) => {
            // It is gone, or another one has its name.
            if (!isNotFound(error) && !isConflict(error)) throw error;
          });
      },
    });
    loop.watchFor(secrets, (secret) =>
      secret.type === tokenType && secret.metadata?.namespace === tokenNamespace ? [keyOf(secret)] : [],
    );
    return loop;
  },
};
