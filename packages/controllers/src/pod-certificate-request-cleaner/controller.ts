import { splitObjectKey } from "@coxswain/apimachinery/meta";
import { isConflict, isNotFound } from "@coxswain/apimachinery/status";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { remainingMs } from "./plan.js";

/** Deletes requests for certificates of pods once they are too old for anybody to be waiting for them. */
export const podCertificateRequestCleanerController: Controller = {
  name: "podcertificaterequest-cleaner-controller",
  aliases: [],
  serviceAccount: "podcertificaterequestcleaner",
  gates: ["PodCertificateRequest"],
  start(context) {
    const { client, informers } = context;
    const { clock } = context.runtime;
    const requests = informers.of("certificates", "v1beta1", "podcertificaterequests");
    const loop = createReconcileLoop(context, {
      name: "podcertificaterequest_cleaner",
      workers: 1,
      async reconcile(key) {
        const { uid = "", creationTimestamp } = requests.indexer.getByKey(key)?.metadata ?? {};
        const created = creationTimestamp ? parseTimeMs(creationTimestamp) : undefined;
        if (created === undefined) return;
        const left = remainingMs(created, clock.now());
        if (left > 0) return { requeueAfterMs: left };
        const { namespace, name } = splitObjectKey(key) ?? { namespace: "", name: "" };
        await client.certificates.v1beta1
          .podcertificaterequests(namespace)
          .delete(name, { preconditions: { uid } })
          .catch((error: unknown) => {
            // It is gone, or another one has its name.
            if (!isNotFound(error) && !isConflict(error)) throw error;
          });
      },
    });
    loop.watch(requests);
    return loop;
  },
};
