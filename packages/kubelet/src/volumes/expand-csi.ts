import { join } from "node:path";
import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import type { CsiDriver } from "../csi/csi-driver.js";
import { accessModesOf, volumeCapability } from "../csi/plan-volume.js";
import { stagingDirectory } from "../csi/volume-data.js";
import { NodeServiceCapabilityRPCType as Capability, node as nodeService } from "../gen/csi.js";
import { type CsiVolume, secretsOf } from "./csi-volume.js";
import { type VolumeContext, VolumeStepError } from "./volume-plugin.js";

/** Grows the file system of a published volume whose PersistentVolume is larger than its claim reports. */
export async function expandVolume(volume: CsiVolume, driver: CsiDriver, context: VolumeContext): Promise<void> {
  const { request, given, data, target, isReadOnly } = volume;
  const { persistentVolume, claim } = request;
  if (!persistentVolume || !claim || given.kind === "inline") return;
  const size = getOwn(persistentVolume.spec?.capacity, "storage");
  if (size === undefined || !needsExpansion(size, claim)) return;
  if (isReadOnly) return context.record(request.pod, readOnlyWarning);
  const capabilities = await driver.capabilities();
  if (capabilities.has(Capability.EXPAND_VOLUME)) {
    const secrets = await secretsOf(context.csi, given.source.nodeExpandSecretRef, "NodeExpandSecretRef");
    const staging = capabilities.has(Capability.STAGE_UNSTAGE_VOLUME)
      ? join(stagingDirectory(context.rootDir, data), "globalmount")
      : "";
    await driver
      .call(nodeService.nodeExpandVolume, {
        volumeId: data.volumeHandle,
        volumePath: target,
        stagingTargetPath: staging,
        capacityRange: { requiredBytes: quantityValue(size) },
        volumeCapability: volumeCapability(
          {
            fsType: given.source.fsType ?? "",
            mountOptions: request.mountOptions,
            accessMode: accessModesOf(persistentVolume)[0],
          },
          capabilities,
        ),
        secrets,
      })
      .catch((error: Error) => {
        throw new VolumeStepError(
          "MountVolume.NodeExpandVolume failed",
          `Expander.NodeExpand failed to expand the volume : ${error.message}`,
        );
      });
    const message = `MountVolume.NodeExpandVolume succeeded for volume "${persistentVolume.metadata?.name}" ${context.csi.nodeName}`;
    context.record(request.pod, { type: "Normal", reason: "FileSystemResizeSuccessful", message });
  }
  await context.expanded(claim, size);
}

const readOnlyWarning = {
  type: "Warning",
  reason: "FileSystemResizeFailed",
  message: "MountVolume.NodeExpandVolume failed, requested read-only file system",
} as const;

/** Pure: what a claim reports is smaller than its volume, and nobody found that it cannot grow. */
export function needsExpansion(size: string, { status }: DeepReadonly<PersistentVolumeClaim>): boolean {
  const has = getOwn(status?.capacity, "storage");
  const isHopeless = getOwn(status?.allocatedResourceStatuses, "storage") === "NodeResizeInfeasible";
  return has !== undefined && !isHopeless && quantityValue(size) > quantityValue(has);
}

const resizeConditions = new Set(["Resizing", "FileSystemResizePending", "ControllerResizeError", "NodeResizeError"]);

/** Pure: the status of a claim whose volume has grown. Upstream's `MarkFSResizeFinished` (pkg/volume/util/resize_util.go). */
export function expandedStatus(
  { status = {} }: DeepReadonly<PersistentVolumeClaim>,
  size: string,
): DeepReadonly<NonNullable<PersistentVolumeClaim["status"]>> {
  const { allocatedResourceStatuses = {}, conditions = [], ...rest } = status;
  const others = ownEntries(allocatedResourceStatuses).filter(([resource]) => resource !== "storage");
  return {
    ...rest,
    capacity: { ...status.capacity, storage: size },
    conditions: conditions.filter(({ type }) => !resizeConditions.has(type)),
    ...(others.length > 0 && { allocatedResourceStatuses: Object.fromEntries(others) }),
  };
}
