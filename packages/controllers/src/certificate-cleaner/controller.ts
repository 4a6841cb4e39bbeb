import { X509Certificate } from "node:crypto";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { isOutdated } from "./plan.js";

const periodMs = 3_600_000;
/** The one key: all requests are looked at together. */
const everything = "requests";

/** Deletes old certificate signing requests: kubelets make new ones all the time. */
export const certificateCleanerController: Controller = {
  name: "certificatesigningrequest-cleaner-controller",
  aliases: ["csrcleaner"],
  serviceAccount: "certificate-controller",
  start(context) {
    const { client, informers } = context;
    const { clock, log } = context.runtime;
    const requests = informers.of("certificates", "v1", "certificatesigningrequests");
    const loop = createReconcileLoop(context, {
      name: "csrcleaner",
      workers: 1,
      async reconcile() {
        for (const request of requests.indexer.list()) {
          const expiresMs = expirationOf(request.status?.certificate);
          if (!isOutdated(request, { nowMs: clock.now(), expiresMs })) continue;
          const name = request.metadata?.name ?? "";
          await client.certificates.v1
            .certificatesigningrequests()
            .delete(name)
            .catch((error: unknown) => {
              // The next pass tries again; one request must not keep the others.
              if (!isNotFound(error))
                log.warn("a certificate signing request was not deleted", { request: name, error });
            });
        }
        // Without requests there is nothing to wait for: the next one wakes it.
        if (requests.indexer.list().length > 0) return { requeueAfterMs: periodMs };
      },
    });
    loop.handle(requests, { onAdd: () => loop.queue.addAfter(everything, periodMs) });
    loop.queue.add(everything);
    return loop;
  },
};

/** When the first certificate of the base64-encoded PEM ceases to be valid. */
function expirationOf(certificate: string | undefined): number | undefined {
  if (!certificate) return undefined;
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, "base64")).validTo);
  } catch {
    // Signers may write what they like; age decides then.
    return undefined;
  }
}
