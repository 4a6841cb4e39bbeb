import { keep, keepMetadata } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import type { StoredVolumeAttachment } from "./stored.js";
import { checkVolumeAttachment, checkVolumeAttachmentUpdate } from "./validation.js";

export const volumeAttachmentStrategy: Strategy<StoredVolumeAttachment> = {
  resetFields: [["status"]],
  prepareForCreate: (attachment) => void (attachment.status = { attached: false }),
  validateCreate: checkVolumeAttachment,
  prepareForUpdate: (attachment, old) => keep(attachment, old, "status"),
  validateUpdate: checkVolumeAttachmentUpdate,
  allowUnconditionalUpdate: false,
};

export const volumeAttachmentStatusStrategy: UpdateStrategy<StoredVolumeAttachment> = {
  resetFields: [["metadata"], ["spec"]],
  prepareForUpdate(attachment, old) {
    keep(attachment, old, "spec");
    keepMetadata(attachment, old);
  },
  validateUpdate: checkVolumeAttachmentUpdate,
};
