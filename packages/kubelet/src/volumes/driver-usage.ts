import { join } from "node:path";
import type { CsiDrivers } from "../csi/csi-drivers.js";
import { publishedVolumes, stagingDirectory } from "../csi/volume-data.js";
import { NodeServiceCapabilityRPCType as Capability, node as nodeService } from "../gen/csi.js";
import type { DriverVolumeStats } from "../runtime/usage-stats.js";

/** What a volume is in its pod; known once this kubelet has looked at it. */
export interface PodVolume {
  readonly name: string;
  /** Of a claim's volume: the claim's name. */
  readonly claim: string | undefined;
}

export interface DriverUsageOptions {
  readonly rootDir: string;
  readonly drivers: Pick<CsiDrivers, "find">;
  /** By the pod's directory of it. */
  readonly podVolumes: ReadonlyMap<string, PodVolume>;
}

/** CSI's units of usage. */
const [bytesUnit, inodesUnit] = [1, 2];

/** What the drivers of a pod's volumes report, of those that can (pkg/volume/csi/csi_metrics.go). One that fails is left out. */
export async function readDriverUsage(
  { rootDir, drivers, podVolumes }: DriverUsageOptions,
  podUid: string,
): Promise<DriverVolumeStats[]> {
  const found: DriverVolumeStats[] = [];
  for (const { directory, data } of await publishedVolumes(rootDir, podUid)) {
    const [volume, driver] = [podVolumes.get(directory), drivers.find(data.driverName)];
    if (!volume || !driver) continue;
    try {
      const capabilities = await driver.capabilities();
      if (!capabilities.has(Capability.GET_VOLUME_STATS)) continue;
      const isStaged = data.volumeLifecycleMode !== "Ephemeral" && capabilities.has(Capability.STAGE_UNSTAGE_VOLUME);
      const { usage } = await driver.call(nodeService.nodeGetVolumeStats, {
        volumeId: data.volumeHandle,
        volumePath: join(directory, "mount"),
        ...(isStaged && { stagingTargetPath: join(stagingDirectory(rootDir, data), "globalmount") }),
      });
      found.push({ ...volume, ...countsOf(usage) });
    } catch {
      // A driver that does not answer has no figures; what it is asked to do next reports its error.
    }
  }
  return found;
}

type Usage = readonly {
  readonly unit: number;
  readonly available: number | bigint;
  readonly total: number | bigint;
  readonly used: number | bigint;
}[];

/** Pure: what is not reported is missing. */
export function countsOf(usage: Usage): Pick<DriverVolumeStats, "bytes" | "inodes"> {
  const of = (unit: number): DriverVolumeStats["bytes"] => {
    const one = usage.find((each) => each.unit === unit);
    return one && { available: Number(one.available), capacity: Number(one.total), used: Number(one.used) };
  };
  const [bytes, inodes] = [of(bytesUnit), of(inodesUnit)];
  return { ...(bytes && { bytes }), ...(inodes && { inodes }) };
}
