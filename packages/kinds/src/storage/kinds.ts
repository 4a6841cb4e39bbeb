import type { AnyKind } from "../definition/kind-definition.js";
import { csiDriverKind } from "./csi-driver/kind.js";
import { csiNodeKind } from "./csi-node/kind.js";
import { csiStorageCapacityKind } from "./csi-storage-capacity/kind.js";
import { storageClassKind } from "./storage-class/kind.js";
import { volumeAttachmentKind } from "./volume-attachment/kind.js";
import { volumeAttributesClassKind } from "./volume-attributes-class/kind.js";

export const storageKinds: readonly AnyKind[] = [
  csiDriverKind,
  csiNodeKind,
  csiStorageCapacityKind,
  storageClassKind,
  volumeAttachmentKind,
  volumeAttributesClassKind,
];
