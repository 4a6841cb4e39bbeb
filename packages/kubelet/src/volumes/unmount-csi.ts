import { rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isPublished, publishedVolumes, stagedVolumes, stagingDirectory, type VolumeData } from "../csi/volume-data.js";
import { NodeServiceCapabilityRPCType as Capability, node as nodeService } from "../gen/csi.js";
import { removeMountDirectory } from "./csi-volume.js";
import type { VolumeContext } from "./volume-plugin.js";

export type CsiContext = Pick<VolumeContext, "rootDir" | "mounter" | "csi">;

/**
 * Has drivers take back what they published for a pod, and what nobody else on the node has any more staged, by the files about what was asked for: also
 * what an earlier kubelet asked for. Idempotent. @throws Error where a driver is not there or refuses: to be tried again
 */
export async function unmountCsi(context: CsiContext, podUid: string): Promise<void> {
  const { rootDir, csi, mounter } = context;
  for (const { directory, data } of await publishedVolumes(rootDir, podUid))
    await csi.alone(data, async () => {
      const driver = driverOf(context, data, "Unmounter.TearDownAt failed to get CSI client");
      const target = join(directory, "mount");
      await driver
        .call(nodeService.nodeUnpublishVolume, { volumeId: data.volumeHandle, targetPath: target })
        .catch((error: Error) => {
          throw new Error(`kubernetes.io/csi: Unmounter.TearDownAt failed: ${error.message}`);
        });
      await removeMountDirectory(mounter, target);
      await unstageUnused(context, data);
    });
  csi.forget(podUid);
}

/** What is staged and published nowhere, after a kubelet that was killed in between. */
export async function sweepStaged(context: CsiContext, onProblem: (error: unknown) => void): Promise<void> {
  for (const { data } of await stagedVolumes(context.rootDir))
    await context.csi.alone(data, () => unstageUnused(context, data)).catch(onProblem);
}

async function unstageUnused(context: CsiContext, data: VolumeData): Promise<void> {
  const { rootDir, csi, mounter } = context;
  if (await isPublished(rootDir, data)) return;
  const parent = stagingDirectory(rootDir, data);
  const staging = join(parent, "globalmount");
  const isStaged = (await stagedVolumes(rootDir)).some(({ directory }) => directory === parent);
  if (isStaged) {
    const driver = driverOf(context, data, "attacher.UnmountDevice failed to create newCsiDriverClient");
    if ((await driver.capabilities()).has(Capability.STAGE_UNSTAGE_VOLUME))
      await driver
        .call(nodeService.nodeUnstageVolume, { volumeId: data.volumeHandle, stagingTargetPath: staging })
        .catch((error: Error) => {
          throw new Error(`kubernetes.io/csi: attacher.UnmountDevice failed: ${error.message}`);
        });
    await removeMountDirectory(mounter, staging);
    // The driver's own directory goes with its last volume.
    await rmdir(dirname(parent)).catch(() => {});
  }
  csi.released(data);
}

function driverOf({ csi }: CsiContext, { driverName }: VolumeData, words: string) {
  const driver = csi.drivers.find(driverName);
  if (driver) return driver;
  throw new Error(
    `kubernetes.io/csi: ${words}: driver name ${driverName} not found in the list of registered CSI drivers`,
  );
}
