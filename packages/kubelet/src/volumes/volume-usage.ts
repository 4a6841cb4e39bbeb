import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { mountAt } from "../machine/mount-table.js";
import { podDirectory } from "../machine/pod-directories.js";
import { diskUsage, fileSystemUsage } from "./disk-usage.js";
import type { VolumeUsage } from "./node-volumes.js";
import { ownedDirectories } from "./plugins/all-plugins.js";
import type { VolumeContext } from "./volume-plugin.js";

/** What the pod's own volumes use: those with a file system of their own are asked, others are walked. */
export async function readUsage(
  { rootDir, mounter, runtime }: Pick<VolumeContext, "rootDir" | "mounter" | "runtime">,
  podUid: string,
): Promise<VolumeUsage[]> {
  const volumes = join(podDirectory(rootDir, podUid), "volumes");
  const table = await mounter.table();
  const usages: VolumeUsage[] = [];
  for (const plugin of ownedDirectories)
    for (const name of await readdir(join(volumes, plugin)).catch(() => [])) {
      const directory = join(volumes, plugin, name);
      const isInMemory = mountAt(table, directory) !== undefined;
      // A volume that goes while it is walked uses nothing.
      const usage = await (isInMemory ? fileSystemUsage(directory) : diskUsage(directory, runtime.scheduler)).catch(
        () => undefined,
      );
      if (usage) usages.push({ name, isInMemory, ...usage });
    }
  return usages;
}
