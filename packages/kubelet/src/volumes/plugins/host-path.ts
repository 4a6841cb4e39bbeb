import type { Stats } from "node:fs";
import { mkdir, open, stat } from "node:fs/promises";
import type { HostPathVolumeSource } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { VolumePlugin } from "../volume-plugin.js";

export const hostPathPlugin: VolumePlugin<DeepReadonly<HostPathVolumeSource>> = {
  async setUp({ path, type = "" }, { isReadOnly }) {
    if (path.split("/").includes("..")) throw new Error(`invalid HostPath \`${path}\`: must not contain '..'`);
    await checkType(path, type);
    return { kind: "host", path, readOnly: isReadOnly };
  },
};

/** What each type demands, in the words of `checkTypeInternal` of pkg/volume/hostpath/host_path.go. */
const kinds: Readonly<Record<string, { readonly is: (stats: Stats) => boolean; readonly words: string }>> = {
  Directory: { is: (stats) => stats.isDirectory(), words: "a directory" },
  File: { is: (stats) => stats.isFile(), words: "a file" },
  Socket: { is: (stats) => stats.isSocket(), words: "a socket file" },
  CharDevice: { is: (stats) => stats.isCharacterDevice(), words: "a character device" },
  BlockDevice: { is: (stats) => stats.isBlockDevice(), words: "a block device" },
};

const createSuffix = "OrCreate";

async function checkType(path: string, type: string): Promise<void> {
  if (type === "") return;
  const isCreating = type === `Directory${createSuffix}` || type === `File${createSuffix}`;
  const kind = kinds[isCreating ? type.slice(0, -createSuffix.length) : type];
  if (!kind) throw new Error(`${type} is an invalid volume type`);
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (!found && isCreating) await (type === `Directory${createSuffix}` ? makeDirectory(path) : makeFile(path));
  else if (!found || !kind.is(found)) throw new Error(`hostPath type check failed: ${path} is not ${kind.words}`);
}

const makeDirectory = async (path: string): Promise<void> => void (await mkdir(path, { recursive: true, mode: 0o755 }));

async function makeFile(path: string): Promise<void> {
  const file = await open(path, "a", 0o644);
  await file.close();
}
