import type { Controller } from "../controller/controller.js";
import { ignoreGone } from "../controller/ignore-gone.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { planBundle, signerName } from "./plan.js";

/** The one key: there is one bundle. */
const bundle = "bundle";

/** Publishes the certificates that API servers are verified by as a ClusterTrustBundle. */
export const clusterTrustBundlePublisherController: Controller = {
  name: "kube-apiserver-serving-clustertrustbundle-publisher-controller",
  aliases: [],
  serviceAccount: "kube-apiserver-serving-clustertrustbundle-publisher",
  gates: ["ClusterTrustBundle"],
  start(context) {
    const { client, informers, settings } = context;
    const { rootCa } = settings;
    if (!rootCa?.current()) return undefined;
    const bundles = informers.of("certificates", "v1beta1", "clustertrustbundles");
    const objects = client.certificates.v1beta1.clustertrustbundles();
    const loop = createReconcileLoop(context, {
      name: "ca_cert_publisher_cluster_trust_bundles",
      workers: 1,
      async reconcile() {
        const { create, update, remove } = planBundle(rootCa.current(), bundles.indexer.list());
        if (create) await objects.create(create);
        if (update) await objects.update(update);
        // Only now: there is a bundle at any time.
        for (const name of remove) await objects.delete(name).catch(ignoreGone);
      },
    });
    loop.watchFor(bundles, ({ spec }) => (spec.signerName === signerName ? [bundle] : []));
    rootCa.onChange(() => loop.queue.add(bundle));
    loop.queue.add(bundle);
    return loop;
  },
};
