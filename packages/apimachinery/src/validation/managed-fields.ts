import { append } from "../append/index.js";
import { type FieldError, type FieldPath, invalid, isPrintable, namedText, tooLong } from "../field/index.js";
import type { ManagedFieldsEntry } from "../meta/object-meta.js";
import { utf8Length } from "../text/utf8-order.js";

export const fieldManagerMaxBytes = 128;
const subresourceMaxBytes = 256;

const ordinary = /^[\x20-\x7e]{0,128}$/;

/** The name of a field manager: printable and short. Empty means that none is given. */
export function validateFieldManager(manager: string, path: FieldPath | undefined): FieldError[] {
  if (ordinary.test(manager)) return [];
  const errors = utf8Length(manager) > fieldManagerMaxBytes ? [tooLong(path, fieldManagerMaxBytes)] : [];
  let position = 0;
  for (const char of manager) {
    if (!isPrintable(char)) {
      const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      errors.push(invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += utf8Length(char);
  }
  return errors;
}

export function validateManagedFields(
  entries: readonly Readonly<ManagedFieldsEntry>[],
  path: FieldPath | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  entries.forEach((entry, i) => {
    const at = path?.index(i);
    if (entry.operation !== "Apply" && entry.operation !== "Update") {
      errors.push(invalid(at?.child("operation"), namedText(entry.operation ?? ""), "must be `Apply` or `Update`"));
    }
    if (entry.fieldsType && entry.fieldsType !== "FieldsV1")
      errors.push(invalid(at?.child("fieldsType"), entry.fieldsType, "must be `FieldsV1`"));
    append(errors, validateFieldManager(entry.manager ?? "", at?.child("manager")));
    if (utf8Length(entry.subresource ?? "") > subresourceMaxBytes)
      errors.push(tooLong(at?.child("subresource"), subresourceMaxBytes));
  });
  return errors;
}
