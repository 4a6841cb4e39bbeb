import { createHash } from "node:crypto";
import { volumeDirectory } from "../machine/pod-directories.js";
import { writeAtomically } from "./atomic-writer.js";
import { makeVolumeDirectory } from "./make-directory.js";
import { mountMemory } from "./memory-volume.js";
import { makeNestedMountPoints } from "./nested-mounts.js";
import { setGroupOwnership } from "./ownership.js";
import type { Payload } from "./payload.js";
import { fsGroupOf } from "./pod-security.js";
import type { MountedVolume, VolumeContext, VolumeRequest } from "./volume-plugin.js";

export interface PayloadVolume {
  readonly plugin: string;
  readonly payload: Payload;
  /** Kept in memory, never on a disk: whatever may be secret. Config maps are on disk, as upstream's (pkg/volume/configmap/configmap.go, wrappedVolumeSpec). */
  readonly isInMemory: boolean;
}

/** A volume whose files the kubelet writes, and writes again when they change. */
export async function setUpPayload(
  { plugin, payload, isInMemory }: PayloadVolume,
  { pod, volume, name }: VolumeRequest,
  context: VolumeContext,
): Promise<MountedVolume> {
  const directory = volumeDirectory(context.rootDir, { podUid: pod.metadata?.uid ?? "", plugin, name });
  const mounted: MountedVolume = { kind: "host", path: directory, readOnly: true };
  const fsGroup = fsGroupOf(pod);
  const digest = digestOf(payload, fsGroup);
  if (context.done.get(directory) === digest) return mounted;
  await makeVolumeDirectory(directory);
  if (isInMemory) await mountMemory(context, { pod, directory });
  await makeNestedMountPoints(pod, volume, directory);
  await writeAtomically(directory, payload, {
    clock: context.runtime.clock,
    // The whole volume, since the first write makes links outside the new directory.
    setPermissions: async () => {
      if (fsGroup !== undefined)
        await setGroupOwnership(directory, { fsGroup, isReadOnly: true }, context.runtime.scheduler);
    },
  });
  context.done.set(directory, digest);
  return mounted;
}

function digestOf(payload: Payload, fsGroup: number | undefined): string {
  const hash = createHash("sha256").update(String(fsGroup));
  for (const [path, { content, mode, owner }] of [...payload].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`\n${JSON.stringify(path)} ${mode} ${owner} ${content.byteLength}\n`).update(content);
  return hash.digest("base64");
}
