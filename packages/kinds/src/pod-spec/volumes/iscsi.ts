import type { DeepReadonly } from "@coxswain/api";
import type { ISCSIVolumeSource } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { compileRegexp } from "@coxswain/apimachinery/regexp";
import { rangeMessage } from "@coxswain/apimachinery/validation";
import { checkPresent } from "../../checks/field-errors.js";

const formats: readonly (readonly [prefix: string, pattern: { test(text: string): boolean }])[] = [
  // Anywhere in the text, as upstream has it (pkg/apis/core/validation/validation.go, iscsiInitiatorIqnRegex); JavaScript's own matcher would try it again at each place in quadratic time.
  ["iqn", compileRegexp("iqn\\.\\d{4}-\\d{2}\\.([a-zA-Z0-9.-]+)(:[^,;*&$|\\s]+)$")],
  ["eui", /^eui.[a-zA-Z0-9]{16}$/u],
  ["naa", /^naa.[a-zA-Z0-9]{32}$/u],
];

/** A qualified name of the iSCSI standard: of a target, or of who connects to it. */
export function checkIscsiName(
  name: string,
  path: FieldPath,
  ofNoFormat = "must be valid format starting with iqn, eui, or naa",
): FieldError[] {
  const format = formats.find(([prefix]) => name.startsWith(prefix));
  if (format === undefined) return [invalid(path, name, ofNoFormat)];
  return format[1].test(name) ? [] : [invalid(path, name, "must be valid format")];
}

export function checkIscsi(source: DeepReadonly<ISCSIVolumeSource>, path: FieldPath): FieldError[] {
  const { targetPortal, iqn, lun, initiatorName } = source;
  const errors = [...checkPresent(targetPortal, path, "targetPortal")];
  if (iqn === "") errors.push(required(path.child("iqn")));
  else append(errors, checkIscsiName(iqn, path.child("iqn")));
  if (lun < 0 || lun > 255) errors.push(invalid(path.child("lun"), lun, rangeMessage(0, 255)));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef)
    errors.push(required(path.child("secretRef")));
  if (initiatorName !== undefined) append(errors, checkIscsiName(initiatorName, path.child("initiatorname")));
  return errors;
}
