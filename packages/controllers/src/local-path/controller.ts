import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { deleteVolumePrefix, localPathProvisioner } from "@coxswain/api/local-path";
import { getOwn } from "@coxswain/apimachinery/own";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { RecordedEvent } from "@coxswain/client/events";
import type { Controller, ControllerContext } from "../controller/controller.js";
import { ignoreGone } from "../controller/ignore-gone.js";
import { createReconcileLoop, type ReconcileLoop } from "../controller/reconcile-loop.js";
import { runTogether } from "../controller/run-together.js";
import { expandedStatus } from "../persistent-volume-expander/plan.js";
import { referenceOf } from "../pods/pod-control.js";
import { externalDeletionFinalizer, provisionedBy, selectedNode } from "../volumes/annotations.js";
import { type CachedClaim, claimKind } from "../volumes/cached-volumes.js";
import { classOfClaim } from "../volumes/storage-class.js";
import { isSmaller, wantedSize } from "./plan-expand.js";
import { planProvision } from "./plan-provision.js";
import { planReclaim } from "./plan-reclaim.js";

/**
 * Makes directories of nodes the volumes of claims, as an external provisioner and resizer would: for classes whose provisioner is
 * `coxswain.dev/local-path`. It writes objects; the kubelet of the volume's node makes and removes the files (docs/storage.md).
 */
export const localPathProvisionerController: Controller = {
  name: "local-path-provisioner-controller",
  aliases: ["local-path-provisioner"],
  serviceAccount: "local-path-provisioner",
  start: (context) => runTogether(claimLoop(context), volumeLoop(context)),
};

function claimLoop(context: ControllerContext): ReconcileLoop {
  const { client, informers } = context;
  const claims = informers.of("core", "v1", "persistentvolumeclaims");
  const volumes = informers.of("core", "v1", "persistentvolumes");
  const classes = informers.of("storage", "v1", "storageclasses");
  const nodes = informers.of("core", "v1", "nodes");
  const recorder = context.recorder(localPathProvisioner);
  const record = (claim: CachedClaim, event: RecordedEvent): void =>
    recorder.event(referenceOf(claim, claimKind), event);
  const failed = (claim: CachedClaim, problem: string): void => {
    const message = `failed to provision volume with StorageClass ${JSON.stringify(classOfClaim(claim))}: ${problem}`;
    record(claim, { type: "Warning", reason: "ProvisioningFailed", message });
  };

  async function provision(claim: CachedClaim): Promise<void> {
    const storageClass = classes.indexer.getByKey(classOfClaim(claim));
    const plan = planProvision({ claim, storageClass, nodeByName: (name) => nodes.indexer.getByKey(name) });
    switch (plan.kind) {
      case "nothing":
        return;
      case "refuse":
        return failed(claim, plan.message);
      case "reschedule": {
        failed(claim, plan.message);
        const { namespace = "", name = "", resourceVersion } = claim.metadata ?? {};
        await client.core.v1.persistentvolumeclaims(namespace).patch(name, {
          merge: { metadata: { resourceVersion, annotations: { [selectedNode]: null } } },
        } as never);
        return;
      }
      case "create": {
        const { name } = plan.volume.metadata ?? {};
        if (volumes.indexer.getByKey(name ?? "")) return;
        try {
          await client.core.v1.persistentvolumes().create(plan.volume);
        } catch (error) {
          if (isAlreadyExists(error)) return;
          throw error;
        }
        const message = `Successfully provisioned volume ${name}`;
        record(claim, { type: "Normal", reason: "ProvisioningSucceeded", message });
      }
    }
  }

  async function expand(claim: CachedClaim): Promise<void> {
    const size = wantedSize(claim);
    const volume = volumes.indexer.getByKey(claim.spec?.volumeName ?? "");
    if (size === undefined || getOwn(volume?.metadata?.annotations, provisionedBy) !== localPathProvisioner) return;
    const { name = "" } = volume?.metadata ?? {};
    if (volume && isSmaller(volume, size))
      await client.core.v1.persistentvolumes().patch(name, { merge: { spec: { capacity: { storage: size } } } });
    const grown = { ...(claim as PersistentVolumeClaim), status: expandedStatus(claim.status as never, size) };
    await client.core.v1.persistentvolumeclaims(claim.metadata?.namespace ?? "").updateStatus(grown);
    record(claim, { type: "Normal", reason: "VolumeResizeSuccessful", message: "Resize volume succeeded" });
  }

  const loop = createReconcileLoop(context, {
    name: "local_path_claims",
    async reconcile(key) {
      const claim = claims.indexer.getByKey(key);
      if (claim) await (claim.spec?.volumeName ? expand(claim) : provision(claim));
    },
  });
  loop.watch(claims);
  return loop;
}

function volumeLoop(context: ControllerContext): ReconcileLoop {
  const { client, informers } = context;
  const volumes = informers.of("core", "v1", "persistentvolumes");
  const written = client.core.v1.persistentvolumes();

  const setFinalizers = (name: string, finalizers: readonly string[], resourceVersion: string | undefined) =>
    written.patch(name, { merge: { metadata: { resourceVersion, finalizers: [...finalizers] } } } as never);

  /** The request stays on the Node until it is done, so the volume need not wait for a node that is away. */
  async function askNode(node: string, volume: string): Promise<void> {
    await client.core.v1
      .nodes()
      .patch(node, { merge: { metadata: { annotations: { [`${deleteVolumePrefix}${volume}`]: "" } } } })
      // Its files went with it.
      .catch(ignoreGone);
  }

  const loop = createReconcileLoop(context, {
    name: "local_path_volumes",
    async reconcile(key) {
      const cached = volumes.indexer.getByKey(key);
      if (!cached || planReclaim(cached).kind === "nothing") return;
      // Only the server's word counts before anything is destroyed.
      const volume = await written.get(key).catch(ignoreGone);
      const plan = volume ? planReclaim(volume) : { kind: "nothing" as const };
      const { resourceVersion, uid = "", finalizers = [] } = volume?.metadata ?? {};
      if (plan.kind === "setFinalizers") await setFinalizers(key, plan.finalizers, resourceVersion);
      if (plan.kind !== "delete") return;
      await askNode(plan.node, key);
      const left = finalizers.filter((each) => each !== externalDeletionFinalizer);
      await setFinalizers(key, left, resourceVersion).catch(ignoreGone);
      await written.delete(key, { preconditions: { uid } }).catch(ignoreGone);
    },
  });
  loop.watch(volumes);
  return loop;
}
