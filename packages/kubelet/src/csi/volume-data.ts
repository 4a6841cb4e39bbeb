import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { podsDirectory } from "../machine/pod-directories.js";

/** What a kubelet must know to undo what it asked a driver for; upstream's `vol_data.json`, member by member. */
export interface VolumeData {
  readonly driverName: string;
  readonly volumeHandle: string;
  readonly specVolID?: string;
  readonly nodeName?: string;
  readonly attachmentID?: string;
  readonly volumeLifecycleMode?: "Persistent" | "Ephemeral";
}

export const dataFile = "vol_data.json";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The name of a VolumeAttachment. */
export const attachmentName = (handle: string, driver: string, node: string): string =>
  `csi-${sha256(`${handle}${driver}${node}`)}`;
/** Of a volume that is in a pod's spec itself. */
export const inlineHandle = (podUid: string, volume: string): string => `csi-${sha256(`${podUid}${volume}`)}`;
/** As Nodes name it in `volumesInUse` and `volumesAttached`. */
export const uniqueVolumeName = ({ driverName, volumeHandle }: VolumeData): string =>
  `kubernetes.io/csi/${driverName}^${volumeHandle}`;

const pluginDirectory = (rootDir: string): string => join(rootDir, "plugins", "kubernetes.io", "csi");
/** `plugins/kubernetes.io/csi/<driver>/<digest of the handle>`; what is staged is below it, at `globalmount`. */
export const stagingDirectory = (rootDir: string, { driverName, volumeHandle }: VolumeData): string =>
  join(pluginDirectory(rootDir), driverName, sha256(volumeHandle));

/** Undefined: there is none, or one that was not written to its end: nothing was asked for then. */
export async function readVolumeData(directory: string): Promise<VolumeData | undefined> {
  try {
    const data = JSON.parse(await readFile(join(directory, dataFile), "utf8")) as Partial<VolumeData>;
    return data.driverName && data.volumeHandle ? (data as VolumeData) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export async function writeVolumeData(directory: string, data: VolumeData): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o750 });
  const path = join(directory, dataFile);
  await writeFile(`${path}.tmp`, `${JSON.stringify(data)}\n`, { mode: 0o644 });
  await rename(`${path}.tmp`, path);
}

/** The volumes of a pod that a driver was asked for, with their directories. */
export async function publishedVolumes(
  rootDir: string,
  podUid: string,
): Promise<{ readonly directory: string; readonly data: VolumeData }[]> {
  const parent = join(podsDirectory(rootDir), podUid, "volumes", "kubernetes.io~csi");
  return withData((await namesIn(parent)).map((name) => join(parent, name)));
}

/** All that are staged on this node. */
export async function stagedVolumes(
  rootDir: string,
): Promise<{ readonly directory: string; readonly data: VolumeData }[]> {
  const directories: string[] = [];
  for (const driver of await namesIn(pluginDirectory(rootDir)))
    for (const name of await namesIn(join(pluginDirectory(rootDir), driver)))
      directories.push(join(pluginDirectory(rootDir), driver, name));
  return withData(directories);
}

/** Whether a pod on this node has the volume. */
export async function isPublished(rootDir: string, wanted: VolumeData): Promise<boolean> {
  for (const podUid of await namesIn(podsDirectory(rootDir)))
    for (const { data } of await publishedVolumes(rootDir, podUid))
      if (uniqueVolumeName(data) === uniqueVolumeName(wanted)) return true;
  return false;
}

async function withData(directories: readonly string[]): Promise<{ directory: string; data: VolumeData }[]> {
  const found: { directory: string; data: VolumeData }[] = [];
  for (const directory of directories) {
    const data = await readVolumeData(directory);
    if (data) found.push({ directory, data });
  }
  return found;
}

const namesIn = (directory: string): Promise<string[]> =>
  readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
    return [];
  });
