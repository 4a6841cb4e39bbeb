import type { CSIPersistentVolumeSource, CSIVolumeSource } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { mountCsi } from "../mount-csi.js";
import type { VolumePlugin } from "../volume-plugin.js";

/** Volumes that a driver mounts: PersistentVolumes, staged once per node. */
export const csiPersistentPlugin: VolumePlugin<DeepReadonly<CSIPersistentVolumeSource>> = {
  directory: "csi",
  setUp: (source, request, context) => mountCsi({ kind: "persistent", source }, request, context),
};

/** The same for volumes in a pod's own spec. */
export const csiInlinePlugin: VolumePlugin<DeepReadonly<CSIVolumeSource>> = {
  directory: "csi",
  setUp: (source, request, context) => mountCsi({ kind: "inline", source }, request, context),
};
