import type { PersistentVolume } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { type FileSource, MountError } from "../runtime/container-runtime.js";

export interface ClaimedVolumeOptions {
  /** In the node's name. */
  readonly client: Client;
  readonly namespace: string;
  readonly claim: string;
  readonly isReadOnly: boolean;
  /** The volume's files are there afterwards. */
  open(volume: string, capacityBytes: number): Promise<void>;
}

/** The files of a claim of a simulated pod. Both objects are read anew: a pod must not start on a claim as it was. @throws MountError */
export async function claimedVolume(options: ClaimedVolumeOptions): Promise<FileSource> {
  const { client, namespace, claim, isReadOnly } = options;
  const found = await client.core.v1
    .persistentvolumeclaims(namespace)
    .get(claim)
    .catch((error: unknown) => {
      throw isNotFound(error) ? new MountError(`persistentvolumeclaim "${claim}" not found`) : error;
    });
  const name = found.spec?.volumeName;
  if (found.status?.phase !== "Bound" || !name) throw new MountError(`PVC ${namespace}/${claim} is not bound`);
  const read = async (): Promise<PersistentVolume> => {
    const volume = await client.core.v1.persistentvolumes().get(name);
    if (!volume.spec?.hostPath)
      await options.open(name, quantityValue(getOwn(volume.spec?.capacity, "storage") ?? "0"));
    return volume;
  };
  const { spec } = await read().catch((error: unknown) => {
    throw new MountError(`MountVolume.SetUp failed for volume "${name}" : ${(error as Error).message}`);
  });
  if (spec?.hostPath) return { kind: "scratch", volume: spec.hostPath.path };
  return {
    kind: "persistent",
    volume: name,
    readOnly: isReadOnly,
    // A volume whose object has gone stays as it was.
    refresh: () =>
      read().then(
        () => undefined,
        () => undefined,
      ),
  };
}
