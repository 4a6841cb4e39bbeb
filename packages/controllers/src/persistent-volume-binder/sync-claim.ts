import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { RecordedEvent } from "@coxswain/client/events";
import { randomUuid } from "@coxswain/runtime/random";
import type { ControllerContext } from "../controller/controller.js";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import type { HostPaths } from "../settings/host-paths.js";
import { selectedNode } from "../volumes/annotations.js";
import { type CachedClaim, type CachedClass, type CachedVolume, claimKind } from "../volumes/cached-volumes.js";
import { type BinderWrites, bind } from "./bind.js";
import { migratedClaim, provisionedClaim, unboundClaimStatus, withAnnotations } from "./changes.js";
import type { BinderMetrics } from "./metrics.js";
import { type ClaimPlan, isBindingComplete, planBoundClaim, planFreeClaim, planNamedClaim } from "./plan-claim.js";
import { hostPathPlugin } from "./plugins.js";
import { hostPathRefusal, hostPathVolume, provisionedVolumeName } from "./provision-host-path.js";

export interface SyncClaimDeps {
  readonly context: ControllerContext;
  readonly writes: BinderWrites;
  readonly hostPaths: HostPaths;
  readonly metrics: BinderMetrics;
  volumeByName(name: string): CachedVolume | undefined;
  /** Free volumes of the claim's class, and those that name the claim. */
  candidates(claim: CachedClaim): readonly CachedVolume[];
  storageClassOf(claim: CachedClaim): CachedClass | undefined;
  defaultClass(): CachedClass | undefined;
  waitingPods(claim: CachedClaim): readonly string[];
  hasNode(name: string): boolean;
}

/** Brings a claim to its volume, or closer to it. */
export function createClaimSync(deps: SyncClaimDeps): (claim: CachedClaim) => Promise<void> {
  const { context, writes, metrics } = deps;
  const { client, settings, runtime } = context;
  const recorder = context.recorder("persistentvolume-controller");
  const record = (claim: CachedClaim, event: RecordedEvent | undefined): void => {
    if (event) recorder.event(referenceOf(claim, claimKind), event);
  };

  function plan(claim: CachedClaim): ClaimPlan {
    const { volumeName } = claim.spec ?? {};
    const volume = volumeName ? deps.volumeByName(volumeName) : undefined;
    if (isBindingComplete(claim)) return planBoundClaim(claim, volume);
    if (volumeName) return planNamedClaim(claim, volume);
    return planFreeClaim({
      claim,
      candidates: deps.candidates(claim),
      storageClass: deps.storageClassOf(claim),
      defaultClass: deps.defaultClass(),
      waitingPods: deps.waitingPods(claim),
      isProvisioningEnabled: settings.isDynamicProvisioningEnabled ?? true,
    });
  }

  async function carryOut(claim: CachedClaim, decided: ClaimPlan): Promise<void> {
    switch (decided.kind) {
      case "nothing":
        return;
      case "bind":
        return bind(writes, decided.volume, claim);
      case "pending":
        record(claim, decided.event);
        await writes.claimStatus(claim, unboundClaimStatus(claim, "Pending"));
        return;
      case "lost":
        if (claim.status?.phase === "Lost") return;
        record(await writes.claimStatus(claim, unboundClaimStatus(claim, "Lost")), decided.event);
        return;
      case "assignClass": {
        const held = claim as PersistentVolumeClaim;
        const named = { ...held, spec: { ...held.spec, storageClassName: decided.className } };
        try {
          await writes.claim(claim, named);
          metrics.assigned(true);
        } catch (error) {
          metrics.assigned(false);
          throw error;
        }
        return;
      }
      case "report":
        return record(claim, decided.event);
      case "contradiction":
        record(claim, decided.event);
        throw new Error(decided.message);
      case "provisionExternally":
        return provisionExternally(claim, decided.provisioner);
      case "provisionHostPath":
        return provisionHostPath(claim, decided.storageClass);
    }
  }

  async function provisionExternally(claim: CachedClaim, provisioner: string): Promise<void> {
    try {
      const noted = await writes.claim(claim, provisionedClaim(claim, provisioner));
      const message =
        `Waiting for a volume to be created either by the external provisioner '${provisioner}' ` +
        "or manually by the system administrator. If volume creation is delayed, please verify that " +
        "the provisioner is running and correctly registered.";
      record(noted, { type: "Normal", reason: "ExternalProvisioning", message });
    } catch (error) {
      metrics.failed(provisioner, "provision");
      record(claim, provisioningFailed(`Error saving claim: ${messageOf(error)}`));
      throw error;
    }
  }

  async function provisionHostPath(claim: CachedClaim, storageClass: CachedClass): Promise<void> {
    const refuse = (message: string): never => {
      metrics.failed(hostPathPlugin, "provision");
      record(claim, provisioningFailed(message));
      throw new Error(message);
    };
    const noted = await writes.claim(claim, provisionedClaim(claim, hostPathPlugin));
    if (deps.volumeByName(provisionedVolumeName(claim))) return;
    const node = getOwn(claim.metadata?.annotations, selectedNode);
    const refusal = hostPathRefusal(claim, storageClass, settings.isHostPathProvisioningEnabled ?? false);
    if (refusal) {
      // The scheduler is to choose another node.
      if (node !== undefined && refusal.startsWith("Failed to provision"))
        await writes.claim(noted, withAnnotations(noted as PersistentVolumeClaim, { [selectedNode]: undefined }));
      refuse(refusal);
    }
    if (node !== undefined && !deps.hasNode(node))
      refuse(`Failed to get target node: node ${JSON.stringify(node)} not found`);
    const path = `/tmp/hostpath_pv/${randomUuid(runtime.random)}`;
    await deps.hostPaths.create(path);
    const volume = hostPathVolume(noted, storageClass, path);
    try {
      await client.core.v1.persistentvolumes().create(volume);
    } catch (error) {
      await deps.hostPaths.remove(path);
      if (isAlreadyExists(error)) return;
      const key = `${claim.metadata?.namespace}/${claim.metadata?.name}`;
      refuse(`Error creating provisioned PV object for claim ${key}: ${messageOf(error)}. Deleting the volume.`);
    }
    const message = `Successfully provisioned volume ${volume.metadata?.name} using ${hostPathPlugin}`;
    record(noted, { type: "Normal", reason: "ProvisioningSucceeded", message });
  }

  return async (claim) => {
    const migrated = await writes.claim(claim, migratedClaim(claim));
    await carryOut(migrated, plan(migrated));
  };
}

const provisioningFailed = (message: string): RecordedEvent => ({
  type: "Warning",
  reason: "ProvisioningFailed",
  message,
});
