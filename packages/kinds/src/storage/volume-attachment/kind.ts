import { builtInKind } from "../../built-in/built-in-kind.js";
import { setVolumeSpecDefaults } from "../../core/persistent-volume/defaults.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import { volumeAttachmentColumns } from "./columns.js";
import type { StoredVolumeAttachment } from "./stored.js";
import { volumeAttachmentStatusStrategy, volumeAttachmentStrategy } from "./strategy.js";

export type { StoredVolumeAttachment };

export const volumeAttachmentKind = builtInKind<StoredVolumeAttachment>("storage.k8s.io", "v1", "volumeattachments", {
  typeDefaults: {
    "io.k8s.api.core.v1.PersistentVolumeSpec": setVolumeSpecDefaults,
    "io.k8s.api.core.v1.ResourceList": roundUpResources,
  },
  strategy: volumeAttachmentStrategy,
  views: { status: volumeAttachmentStatusStrategy },
  columns: volumeAttachmentColumns,
  returnsDeletedObject: true,
});
