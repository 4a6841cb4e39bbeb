import type { DeepReadonly } from "@coxswain/api";
import type { VolumeMount } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, forbidden, invalid, notFound, required } from "@coxswain/apimachinery/field";
import { checkOneOf } from "../../checks/field-errors.js";
import { checkDescendingPath } from "../paths.js";
import type { SpecFacts } from "../spec-facts.js";
import type { AnyContainer } from "../visit-containers.js";

/** What is wrong inside a mount stands, in upstream's words, at the list: `volumeMounts.subPath`. */
export function checkVolumeMounts(
  container: AnyContainer,
  path: FieldPath,
  { volumes }: Pick<SpecFacts, "volumes">,
): FieldError[] {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  const devices = container.volumeDevices ?? [];
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    const { name, mountPath, subPath = "", subPathExpr = "" } = mount;
    const at = path.index(i);
    if (name === "") errors.push(required(at.child("name")));
    if (!volumes.has(name)) errors.push(notFound(at.child("name"), name));
    if (mountPath === "") errors.push(required(at.child("mountPath")));
    if (taken.has(mountPath)) errors.push(invalid(at.child("mountPath"), mountPath, "must be unique"));
    taken.add(mountPath);
    if (devices.some((device) => device.name === name))
      errors.push(invalid(at.child("name"), name, "must not already exist in volumeDevices"));
    if (lastPaths(devices).has(mountPath))
      errors.push(invalid(at.child("mountPath"), mountPath, "must not already exist as a path in volumeDevices"));
    if (subPath !== "") append(errors, checkDescendingPath(subPath, path.child("subPath")));
    if (subPathExpr !== "") {
      if (subPath !== "")
        errors.push(invalid(at.child("subPathExpr"), subPathExpr, "subPathExpr and subPath are mutually exclusive"));
      append(errors, checkDescendingPath(subPathExpr, path.child("subPathExpr")));
    }
    append(errors, [
      ...checkPropagation(mount, container, path.child("mountPropagation")),
      ...checkRecursiveReadOnly(mount, path.child("recursiveReadOnly")),
    ]);
  }
  return errors;
}

/** Of devices with the same name only the last one's path counts. */
const lastPaths = (devices: readonly { readonly name: string; readonly devicePath: string }[]): ReadonlySet<string> =>
  new Set(devices.length === 0 ? [] : new Map(devices.map(({ name, devicePath }) => [name, devicePath])).values());

function checkPropagation(
  { mountPropagation: mode }: DeepReadonly<VolumeMount>,
  container: AnyContainer,
  path: FieldPath,
): FieldError[] {
  if (mode === undefined) return [];
  const errors = [...checkOneOf(mode, ["Bidirectional", "HostToContainer", "None"], path)];
  if (mode === "Bidirectional" && container.securityContext?.privileged !== true) {
    errors.push(forbidden(path, "Bidirectional mount propagation is available only to privileged containers"));
  }
  return errors;
}

function checkRecursiveReadOnly(
  { recursiveReadOnly: mode, readOnly = false, mountPropagation = "None" }: DeepReadonly<VolumeMount>,
  path: FieldPath,
): readonly FieldError[] {
  if (mode === undefined || mode === "Disabled") return [];
  if (mode !== "Enabled" && mode !== "IfPossible") return checkOneOf(mode, ["Disabled", "Enabled", "IfPossible"], path);
  const errors: FieldError[] = [];
  if (!readOnly) errors.push(forbidden(path, "may only be specified when readOnly is true"));
  if (mountPropagation !== "None")
    errors.push(forbidden(path, "may only be specified when mountPropagation is None or not specified"));
  return errors;
}
