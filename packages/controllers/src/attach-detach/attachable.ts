import { createHash } from "node:crypto";
import type { DeepReadonly } from "@coxswain/api";
import type { Volume } from "@coxswain/api/core/v1";
import type { CachedVolume } from "../volumes/cached-volumes.js";

/** A volume that must be attached to a node before it can be mounted there. */
export interface Attachable {
  /** As nodes report it: plugin and volume. Two PersistentVolumes of one name are the same storage. */
  readonly name: string;
  /** As events call it: the PersistentVolume, or the pod's volume. */
  readonly title: string;
  /** Of CSI drivers: a VolumeAttachment asks for it. Without, there is nothing to do but to report it. */
  readonly csi?: { readonly driver: string; readonly handle: string; readonly persistentVolume: string };
  /** On one node at a time. */
  readonly isExclusive: boolean;
}

type Sources = DeepReadonly<Pick<Volume, "iscsi" | "fc">>;

/** Go's `%v` of a list. */
const listText = (words: readonly string[]): string => `[${words.join(" ")}]`;

function nameOfSource({ iscsi, fc }: Sources): string | undefined {
  if (iscsi) return `kubernetes.io/iscsi/${iscsi.targetPortal}:${iscsi.iqn}:${iscsi.lun}`;
  if (fc?.targetWWNs?.length && fc.lun !== undefined) return `kubernetes.io/fc/${listText(fc.targetWWNs)}:${fc.lun}`;
  if (fc?.wwids?.length) return `kubernetes.io/fc/${listText(fc.wwids)}`;
  return undefined;
}

/** Pure: what a PersistentVolume is to nodes; undefined: it is not attached. */
export function attachableOfVolume({ metadata, spec }: CachedVolume): Attachable | undefined {
  const title = metadata?.name ?? "";
  const modes = spec?.accessModes ?? [];
  const isExclusive = modes.length > 0 && !modes.includes("ReadWriteMany") && !modes.includes("ReadOnlyMany");
  if (spec?.csi) {
    const { driver, volumeHandle: handle } = spec.csi;
    const name = `kubernetes.io/csi/${driver}^${handle}`;
    return { name, title, csi: { driver, handle, persistentVolume: title }, isExclusive };
  }
  const name = nameOfSource({ ...(spec?.iscsi && { iscsi: spec.iscsi as never }), ...(spec?.fc && { fc: spec.fc }) });
  return name === undefined ? undefined : { name, title, isExclusive };
}

/** Pure: the same of a volume that stands in the pod itself. CSI volumes there are not attached. */
export function attachableOfPodVolume(volume: DeepReadonly<Volume>): Attachable | undefined {
  const name = nameOfSource(volume);
  return name === undefined ? undefined : { name, title: volume.name, isExclusive: false };
}

/** The VolumeAttachment of a volume on a node. Others of another name are not ours. */
export const attachmentName = (driver: string, handle: string, node: string): string =>
  `csi-${createHash("sha256").update(`${handle}${driver}${node}`).digest("hex")}`;
