import type { DeepReadonly } from "@coxswain/api";
import type { VolumeAttachmentSource, VolumeError } from "@coxswain/api/storage/v1";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  required,
  tooLong,
  Verbatim,
} from "@coxswain/apimachinery/field";
import { ownEntries } from "@coxswain/apimachinery/own";
import { immutableMessage, nameIsDnsSubdomain, rangeMessage, utf8Length } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";
import { checkObjectMeta } from "../../checks/object-meta.js";
import { checkPersistentVolumeSpec } from "../../core/persistent-volume/validation.js";
import { sameForm } from "../../internal-form/equal.js";
import { compactJson } from "../../internal-form/go-text.js";
import { internalForm } from "../../internal-form/internal-form.js";
import { checkCsiDriverName } from "../../pod-spec/volumes/csi.js";
import type { StoredVolumeAttachment } from "./stored.js";

type Attachment = DeepReadonly<StoredVolumeAttachment>;

const specPath = fieldPath("spec");
const statusPath = fieldPath("status");
const mostMetadataBytes = 256 * 1024;
const longestMessage = 1024;

export function checkVolumeAttachment({ metadata, spec, status }: Attachment): FieldError[] {
  const { attacher, source, nodeName } = spec;
  const name = source.persistentVolumeName;
  return [
    ...checkObjectMeta(metadata, { namespaced: false }),
    ...checkCsiDriverName(attacher, specPath.child("attacher")),
    ...checkSource(source, specPath.child("source")),
    ...problemsAt(specPath.child("nodeName"), nodeName, nameIsDnsSubdomain(nodeName)),
    ...checkStatus(status),
    ...(name === undefined
      ? []
      : problemsAt(fieldPath("spec.source.persistentVolumeName"), name, nameIsDnsSubdomain(name))),
  ];
}

export function checkVolumeAttachmentUpdate(next: Attachment, old: Attachment): FieldError[] {
  const errors = checkVolumeAttachment(next);
  const [after, before] = [form(next), form(old)];
  return sameForm(after, before)
    ? errors
    : [...errors, invalid(specPath, new Verbatim(compactJson(after)), immutableMessage)];
}

/** As Go prints its own form. */
const form = ({ spec: { attacher, source, nodeName } }: Attachment): unknown => ({
  Attacher: attacher,
  Source: {
    PersistentVolumeName: source.persistentVolumeName ?? null,
    InlineVolumeSpec: source.inlineVolumeSpec ? internalForm("PersistentVolumeSpec", source.inlineVolumeSpec) : null,
  },
  NodeName: nodeName,
});

function checkSource(
  { persistentVolumeName: name, inlineVolumeSpec: inline }: DeepReadonly<VolumeAttachmentSource>,
  path: FieldPath,
): FieldError[] {
  const why = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (inline && name !== undefined) return [forbidden(path, why)];
  if (inline) return checkPersistentVolumeSpec(inline, path.child("inlineVolumeSpec"), { name: "", inline: true });
  if (name === undefined) return [required(path, why)];
  return name === ""
    ? [required(path.child("persistentVolumeName"), "must specify non empty persistentVolumeName")]
    : [];
}

function checkStatus({ attachmentMetadata, attachError, detachError }: Attachment["status"]): FieldError[] {
  const size = ownEntries(attachmentMetadata).reduce(
    (sum, [key, value]) => sum + utf8Length(key) + utf8Length(value),
    0,
  );
  return [
    ...(size > mostMetadataBytes ? [tooLong(statusPath.child("attachmentMetadata"), mostMetadataBytes)] : []),
    ...checkError(attachError, statusPath.child("attachError")),
    ...checkError(detachError, statusPath.child("detachError")),
  ];
}

function checkError(error: DeepReadonly<VolumeError> | undefined, path: FieldPath): FieldError[] {
  const { message = "", errorCode = 0 } = error ?? {};
  return [
    // Upstream names the limit of the metadata here.
    ...(utf8Length(message) > longestMessage ? [tooLong(path.child("message"), mostMetadataBytes)] : []),
    ...(errorCode < 0 ? [invalid(path.child("errorCode"), errorCode, rangeMessage(0, 2 ** 31 - 1))] : []),
  ];
}
