import type { PersistentVolume } from "@coxswain/api/core/v1";
import type { CSIDriver } from "@coxswain/api/storage/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Encodable } from "@coxswain/wire/protobuf";
import { NodeServiceCapabilityRPCType as Capability, Mode, type VolumeCapability } from "../gen/csi.js";
import { type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";

type Driver = DeepReadonly<CSIDriver> | undefined;

/** Pure: CSI's access mode of a PersistentVolume; `ReadWriteOncePod` is one writer where the driver distinguishes them. */
export function accessModeOf(mode: string | undefined, capabilities: ReadonlySet<number>): number {
  const isExact = capabilities.has(Capability.SINGLE_NODE_MULTI_WRITER);
  switch (mode ?? "ReadWriteOnce") {
    case "ReadWriteOnce":
      return isExact ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
    case "ReadWriteOncePod":
      return isExact ? Mode.SINGLE_NODE_SINGLE_WRITER : Mode.SINGLE_NODE_WRITER;
    case "ReadOnlyMany":
      return Mode.MULTI_NODE_READER_ONLY;
    case "ReadWriteMany":
      return Mode.MULTI_NODE_MULTI_WRITER;
    default:
      return Mode.UNKNOWN;
  }
}

/** Pure: how a driver is to mount a volume. */
export function volumeCapability(
  wanted: {
    readonly fsType: string;
    readonly mountOptions: readonly string[];
    readonly accessMode?: string | undefined;
    /** Given to drivers that set it themselves. */
    readonly fsGroup?: number | undefined;
  },
  capabilities: ReadonlySet<number>,
): Encodable<typeof VolumeCapability> {
  const { fsType, mountOptions, accessMode, fsGroup } = wanted;
  const takesGroup = capabilities.has(Capability.VOLUME_MOUNT_GROUP) && fsGroup !== undefined;
  return {
    mount: { fsType, mountFlags: [...mountOptions], volumeMountGroup: takesGroup ? String(fsGroup) : "" },
    accessMode: { mode: accessModeOf(accessMode, capabilities) },
  };
}

/** Pure: whether the kubelet gives the volume to the pod's group. Upstream's `supportsFSGroup` (pkg/volume/csi/csi_mounter.go). */
export function appliesGroup(
  driver: Driver,
  volume: {
    readonly fsType: string;
    readonly isReadOnly: boolean;
    /** Undefined: it is in the pod's spec itself, and the pod's alone. */
    readonly accessModes?: readonly string[] | undefined;
    readonly isInline: boolean;
  },
): boolean {
  const policy = driver?.spec.fsGroupPolicy ?? "ReadWriteOnceWithFSType";
  if (policy === "None" || volume.isReadOnly) return false;
  if (policy === "File") return true;
  if (volume.fsType === "") return false;
  return volume.isInline || (volume.accessModes ?? []).some((mode) => mode.startsWith("ReadWriteOnce"));
}

/** Pure: whether a controller attaches the driver's volumes to nodes. */
export const needsAttachment = (driver: Driver): boolean => driver?.spec.attachRequired ?? true;

/** Pure: why a driver does not take a volume of this mode. Upstream's `supportsVolumeLifecycleMode`. */
export function modeProblem(name: string, driver: Driver, mode: "Persistent" | "Ephemeral"): string | undefined {
  if (!driver)
    return mode === "Persistent"
      ? undefined
      : `volume mode "${mode}" not supported by driver ${name} (no CSIDriver object)`;
  if ((driver.spec.volumeLifecycleModes ?? ["Persistent"]).includes(mode)) return undefined;
  const listed = driver.spec.volumeLifecycleModes?.map((each) => `"${each}"`).join(" ") ?? "";
  return `volume mode "${mode}" not supported by driver ${name} (only supports [${listed}])`;
}

/** Pure: what drivers with `podInfoOnMount` are given about the pod. */
export const podInfo = (pod: CachedPod, isInline: boolean): [string, string][] => [
  ["csi.storage.k8s.io/pod.name", nameOf(pod)],
  ["csi.storage.k8s.io/pod.namespace", namespaceOf(pod)],
  ["csi.storage.k8s.io/pod.uid", uidOf(pod)],
  ["csi.storage.k8s.io/serviceAccount.name", pod.spec?.serviceAccountName ?? ""],
  ["csi.storage.k8s.io/ephemeral", String(isInline)],
];

export const accessModesOf = ({ spec }: DeepReadonly<PersistentVolume>): readonly string[] => spec?.accessModes ?? [];
