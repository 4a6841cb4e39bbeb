import type { DeepReadonly } from "@coxswain/api";
import type { Volume } from "@coxswain/api/core/v1";
import { attachableOfPodVolume, attachableOfVolume } from "../attach-detach/attachable.js";
import type { CachedVolume } from "../volumes/cached-volumes.js";

/** Storage that several pods can use. */
export interface SharedVolume {
  /** Equal for the same storage. */
  readonly name: string;
  readonly csiDriver: string | undefined;
  /** Whether it can be mounted with an SELinux label; "driver": its CSIDriver decides. */
  readonly mountsWithLabel: boolean | "driver";
}

/** Pure: the storage of a PersistentVolume; undefined: of a kind that is not known here. */
export function sharedByVolume(volume: CachedVolume): SharedVolume | undefined {
  const { spec, metadata } = volume;
  const attachable = attachableOfVolume(volume);
  if (attachable?.csi) return { name: attachable.name, csiDriver: attachable.csi.driver, mountsWithLabel: "driver" };
  if (attachable) return { name: attachable.name, csiDriver: undefined, mountsWithLabel: true };
  if (spec?.local) return plain(`kubernetes.io/local-volume/${metadata?.name}`);
  return ofSource({ ...(spec?.nfs && { nfs: spec.nfs }), ...(spec?.hostPath && { hostPath: spec.hostPath }) });
}

/** Pure: the same of a volume that stands in the pod itself. What only this pod has is not shared. */
export function sharedByPodVolume(volume: DeepReadonly<Volume>): SharedVolume | undefined {
  const attachable = attachableOfPodVolume(volume);
  return attachable ? { name: attachable.name, csiDriver: undefined, mountsWithLabel: true } : ofSource(volume);
}

function ofSource({ nfs, hostPath }: DeepReadonly<Pick<Volume, "nfs" | "hostPath">>): SharedVolume | undefined {
  if (nfs) return plain(`kubernetes.io/nfs/${nfs.server}/${nfs.path}`);
  return hostPath ? plain(`kubernetes.io/host-path/${hostPath.path}`) : undefined;
}

const plain = (name: string): SharedVolume => ({ name, csiDriver: undefined, mountsWithLabel: false });
