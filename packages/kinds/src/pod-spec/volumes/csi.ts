import type { DeepReadonly } from "@coxswain/api";
import type { CSIVolumeSource } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, required, tooLong } from "@coxswain/apimachinery/field";
import { checkDnsSubdomain, nameIsDnsSubdomain, utf8Length } from "@coxswain/apimachinery/validation";
import { problemsAt } from "../../checks/field-errors.js";

const longestDriverName = 63;

export function checkCsiDriverName(driver: string, path: FieldPath): FieldError[] {
  if (driver === "") return [required(path)];
  const errors = utf8Length(driver) > longestDriverName ? [tooLong(path, longestDriverName)] : [];
  return [...errors, ...problemsAt(path, driver, checkDnsSubdomain(driver.toLowerCase()))];
}

export function checkCsiVolume(
  { driver, nodePublishSecretRef }: DeepReadonly<CSIVolumeSource>,
  path: FieldPath,
): FieldError[] {
  const errors = checkCsiDriverName(driver, path.child("driver"));
  if (nodePublishSecretRef) {
    const { name = "" } = nodePublishSecretRef;
    if (name === "") errors.push(required(path.child("nodePublishSecretRef", "name")));
    // Upstream names the field one level too high.
    else append(errors, problemsAt(path.child("name"), name, nameIsDnsSubdomain(name)));
  }
  return errors;
}
