import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { EventRecorder, RecordedEvent } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import { randomUuid } from "@coxswain/runtime/random";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import type { ControllerSettings } from "../settings/controller-settings.js";
import type { HostPaths } from "../settings/host-paths.js";
import { selectedNode } from "../volumes/annotations.js";
import { type CachedClaim, type CachedClass, type CachedVolume, claimKind } from "../volumes/cached-volumes.js";
import { type BinderWrites, bind } from "./bind.js";
import { migratedClaim, provisionedClaim, unboundClaimStatus, withAnnotations } from "./changes.js";
import type { BinderMetrics } from "./metrics.js";
import { type ClaimPlan, isBindingComplete, planBoundClaim, planFreeClaim, planNamedClaim } from "./plan-claim.js";
import { hostPathPlugin } from "./plugins.js";
import { hostPathRefusal, hostPathVolume, provisionedVolumeName } from "./provision-host-path.js";

/** What the work on all claims shares. */
export interface ClaimSync {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly settings: ControllerSettings;
  readonly runtime: Runtime;
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
export async function syncClaim(sync: ClaimSync, claim: CachedClaim): Promise<void> {
  const migrated = await sync.writes.claim(claim, migratedClaim(claim));
  await carryOut(sync, migrated, plan(sync, migrated));
}

const provisioningFailed = (message: string): RecordedEvent => ({
  type: "Warning",
  reason: "ProvisioningFailed",
  message,
});

function record({ recorder }: ClaimSync, claim: CachedClaim, event: RecordedEvent | undefined): void {
  if (event) recorder.event(referenceOf(claim, claimKind), event);
}

function plan(sync: ClaimSync, claim: CachedClaim): ClaimPlan {
  const { volumeName } = claim.spec ?? {};
  const volume = volumeName ? sync.volumeByName(volumeName) : undefined;
  if (isBindingComplete(claim)) return planBoundClaim(claim, volume);
  if (volumeName) return planNamedClaim(claim, volume);
  return planFreeClaim({
    claim,
    candidates: sync.candidates(claim),
    storageClass: sync.storageClassOf(claim),
    defaultClass: sync.defaultClass(),
    waitingPods: sync.waitingPods(claim),
    isProvisioningEnabled: sync.settings.isDynamicProvisioningEnabled ?? true,
  });
}

async function carryOut(sync: ClaimSync, claim: CachedClaim, decided: ClaimPlan): Promise<void> {
  switch (decided.kind) {
    case "nothing":
      return;
    case "bind":
      return bind(sync.writes, decided.volume, claim);
    case "pending":
      record(sync, claim, decided.event);
      await sync.writes.claimStatus(claim, unboundClaimStatus(claim, "Pending"));
      return;
    case "lost":
      if (claim.status?.phase === "Lost") return;
      record(sync, await sync.writes.claimStatus(claim, unboundClaimStatus(claim, "Lost")), decided.event);
      return;
    case "assignClass": {
      const held = claim as PersistentVolumeClaim;
      const named = { ...held, spec: { ...held.spec, storageClassName: decided.className } };
      try {
        await sync.writes.claim(claim, named);
        sync.metrics.assigned(true);
      } catch (error) {
        sync.metrics.assigned(false);
        throw error;
      }
      return;
    }
    case "report":
      return record(sync, claim, decided.event);
    case "contradiction":
      record(sync, claim, decided.event);
      throw new Error(decided.message);
    case "provisionExternally":
      return provisionExternally(sync, claim, decided.provisioner);
    case "provisionHostPath":
      return provisionHostPath(sync, claim, decided.storageClass);
  }
}

async function provisionExternally(sync: ClaimSync, claim: CachedClaim, provisioner: string): Promise<void> {
  try {
    const noted = await sync.writes.claim(claim, provisionedClaim(claim, provisioner));
    const message =
      `Waiting for a volume to be created either by the external provisioner '${provisioner}' ` +
      "or manually by the system administrator. If volume creation is delayed, please verify that " +
      "the provisioner is running and correctly registered.";
    record(sync, noted, { type: "Normal", reason: "ExternalProvisioning", message });
  } catch (error) {
    sync.metrics.failed(provisioner, "provision");
    record(sync, claim, provisioningFailed(`Error saving claim: ${messageOf(error)}`));
    throw error;
  }
}

async function provisionHostPath(sync: ClaimSync, claim: CachedClaim, storageClass: CachedClass): Promise<void> {
  const refuse = (message: string): never => {
    sync.metrics.failed(hostPathPlugin, "provision");
    record(sync, claim, provisioningFailed(message));
    throw new Error(message);
  };
  const noted = await sync.writes.claim(claim, provisionedClaim(claim, hostPathPlugin));
  if (sync.volumeByName(provisionedVolumeName(claim))) return;
  const node = getOwn(claim.metadata?.annotations, selectedNode);
  const refusal = hostPathRefusal(claim, storageClass, sync.settings.isHostPathProvisioningEnabled ?? false);
  if (refusal) {
    // The scheduler is to choose another node.
    if (node !== undefined && refusal.startsWith("Failed to provision"))
      await sync.writes.claim(noted, withAnnotations(noted as PersistentVolumeClaim, { [selectedNode]: undefined }));
    refuse(refusal);
  }
  if (node !== undefined && !sync.hasNode(node))
    refuse(`Failed to get target node: node ${JSON.stringify(node)} not found`);
  const path = `/tmp/hostpath_pv/${randomUuid(sync.runtime.random)}`;
  await sync.hostPaths.create(path);
  const volume = hostPathVolume(noted, storageClass, path);
  try {
    await sync.client.core.v1.persistentvolumes().create(volume);
  } catch (error) {
    await sync.hostPaths.remove(path);
    if (isAlreadyExists(error)) return;
    const key = `${claim.metadata?.namespace}/${claim.metadata?.name}`;
    refuse(`Error creating provisioned PV object for claim ${key}: ${messageOf(error)}. Deleting the volume.`);
  }
  const message = `Successfully provisioned volume ${volume.metadata?.name} using ${hostPathPlugin}`;
  record(sync, noted, { type: "Normal", reason: "ProvisioningSucceeded", message });
}
