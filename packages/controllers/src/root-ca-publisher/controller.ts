import { isNotFound, statusCause } from "@coxswain/apimachinery/status";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { fixedRootCa } from "../settings/root-ca.js";
import { bundleName, planBundle } from "./plan.js";

/** Keeps the certificates by which pods know the API server in a ConfigMap of every namespace. */
export const rootCaPublisherController: Controller = {
  name: "root-ca-certificate-publisher-controller",
  aliases: ["root-ca-cert-publisher"],
  serviceAccount: "root-ca-cert-publisher",
  start(context) {
    const { client, informers, settings } = context;
    const { rootCa = fixedRootCa("") } = settings;
    const configMaps = informers.of("core", "v1", "configmaps");
    const namespaces = informers.of("core", "v1", "namespaces");
    const loop = createReconcileLoop(context, {
      name: "root_ca_cert_publisher",
      workers: 1,
      async reconcile(namespace) {
        const plan = planBundle(configMaps.indexer.getByKey(`${namespace}/${bundleName}`), rootCa.current());
        const access = client.core.v1.configmaps(namespace);
        if (plan.kind === "update") await access.update(plan.configMap);
        if (plan.kind !== "create") return;
        await access.create(plan.configMap).catch((error: unknown) => {
          // The namespace is gone or going: nobody needs the bundle any more.
          if (!isNotFound(error) && !statusCause(error, "NamespaceTerminating")) throw error;
        });
      },
    });
    loop.handle(configMaps, {
      onUpdate: (_, { metadata }) => wakeFor(metadata),
      onDelete: ({ metadata }) => wakeFor(metadata),
    });
    loop.handle(namespaces, {
      onAdd: ({ metadata }) => loop.queue.add(metadata?.name ?? ""),
      onUpdate: (_, { metadata, status }) => {
        if (status?.phase === "Active") loop.queue.add(metadata?.name ?? "");
      },
    });
    rootCa.onChange(() => {
      for (const { metadata } of namespaces.indexer.list()) loop.queue.add(metadata?.name ?? "");
    });
    function wakeFor(metadata: { readonly name?: string; readonly namespace?: string } | undefined): void {
      if (metadata?.name === bundleName) loop.queue.add(metadata.namespace ?? "");
    }
    return loop;
  },
};
