import { rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CSIPersistentVolumeSource, CSIVolumeSource, SecretReference } from "@coxswain/api/core/v1";
import type { CSIDriver } from "@coxswain/api/storage/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { dataFile, type VolumeData } from "../csi/volume-data.js";
import { mountAt } from "../machine/mount-table.js";
import type { VolumeContext, VolumeRequest } from "./volume-plugin.js";

/** A volume of a CSI driver: a claim's, or one in the pod's own spec. */
export type CsiSource =
  | { readonly kind: "persistent"; readonly source: DeepReadonly<CSIPersistentVolumeSource> }
  | { readonly kind: "inline"; readonly source: DeepReadonly<CSIVolumeSource> };

/** What one volume of one pod is, for all steps. */
export interface CsiVolume {
  readonly given: CsiSource;
  readonly data: VolumeData;
  /** The pod's directory of it; what is published is at `mount` in it. */
  readonly directory: string;
  readonly target: string;
  readonly isReadOnly: boolean;
  readonly request: VolumeRequest;
  readonly object: DeepReadonly<CSIDriver> | undefined;
}

/** @throws Error in upstream's words */
export async function secretsOf(
  csi: VolumeContext["csi"],
  ref: DeepReadonly<SecretReference> | undefined,
  member: string,
): Promise<Map<string, string>> {
  if (!ref) return new Map();
  const { namespace = "", name = "" } = ref;
  return csi.secret(namespace, name).catch((error: Error) => {
    throw new Error(`fetching ${member} ${namespace}/${name} failed: ${error.message}`);
  });
}

/** Removes what was made for a driver's mount, unless something is mounted there. Upstream's `removeMountDir`. */
export async function removeMountDirectory(mounter: VolumeContext["mounter"], target: string): Promise<void> {
  if (mountAt(await mounter.table(), target)) return;
  await removeIfThere(target);
  await rm(join(dirname(target), dataFile), { force: true });
  await removeIfThere(dirname(target));
}

const removeIfThere = (directory: string): Promise<void> =>
  rmdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
