import type { StorageVersion } from "@coxswain/api/apiserverinternal/v1alpha1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Controller } from "../controller/controller.js";
import { ignoreGone } from "../controller/ignore-gone.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { isIdentityLease, planVersion } from "./plan.js";

/** Takes API servers that run no more out of the records of who stores what in which version. */
export const storageVersionGarbageCollectorController: Controller = {
  name: "storageversion-garbage-collector-controller",
  aliases: ["storage-version-gc"],
  serviceAccount: "storage-version-garbage-collector",
  gates: ["APIServerIdentity", "StorageVersionAPI"],
  start(context) {
    const { client, informers } = context;
    const { clock } = context.runtime;
    const versions = informers.of("apiserverinternal", "v1alpha1", "storageversions");
    const leases = informers.of("coordination", "v1", "leases");
    const objects = client.apiserverinternal.v1alpha1.storageversions();
    const isInCache = (server: string): boolean => {
      const lease = leases.indexer.getByKey(`kube-system/${server}`);
      return lease !== undefined && isIdentityLease(lease);
    };
    /** A lease that is newer than the cache counts. */
    async function isRunning(server: string): Promise<boolean> {
      if (isInCache(server)) return true;
      const lease = await client.coordination.v1.leases("kube-system").get(server).catch(ignoreGone);
      return lease !== undefined && isIdentityLease(lease);
    }
    const loop = createReconcileLoop(context, {
      name: "storage_version_garbage_collector_storageversions",
      workers: 1,
      async reconcile(name) {
        const object = versions.indexer.getByKey(name);
        if (!object) return;
        const running = new Set<string>();
        for (const { apiServerID = "" } of object.status?.storageVersions ?? [])
          if (await isRunning(apiServerID)) running.add(apiServerID);
        const plan = planVersion(object, { isRunning: (server) => running.has(server), now: formatTime(clock.now()) });
        if (plan.kind === "update") await objects.updateStatus({ ...(object as StorageVersion), status: plan.status });
        if (plan.kind === "delete") await objects.delete(name).catch(ignoreGone);
      },
    });
    loop.watchFor(versions, (object) =>
      (object.status?.storageVersions ?? []).every(({ apiServerID = "" }) => isInCache(apiServerID))
        ? []
        : [object.metadata?.name],
    );
    loop.handle(leases, {
      onDelete(lease) {
        if (!isIdentityLease(lease)) return;
        for (const { metadata, status } of versions.indexer.list())
          if (status?.storageVersions?.some(({ apiServerID }) => apiServerID === lease.metadata?.name))
            loop.queue.add(metadata?.name ?? "");
      },
    });
    return loop;
  },
};
