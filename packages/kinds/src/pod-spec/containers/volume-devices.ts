import { type FieldError, type FieldPath, invalid, notFound, required } from "@coxswain/apimachinery/field";
import { checkNoBacksteps } from "../paths.js";
import type { SpecFacts } from "../spec-facts.js";
import type { AnyContainer } from "../visit-containers.js";

/** Raw block devices: only claims have them. */
export function checkVolumeDevices(
  { volumeDevices = [], volumeMounts = [] }: AnyContainer,
  path: FieldPath,
  { volumes }: Pick<SpecFacts, "volumes">,
): FieldError[] {
  if (volumeDevices.length === 0) return [];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  const paths = new Set<string>();
  const mounts = new Map(volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
  const mountPaths = new Set(mounts.values());
  for (const [i, { name, devicePath }] of volumeDevices.entries()) {
    const at = { name: path.index(i).child("name"), devicePath: path.index(i).child("devicePath") };
    const volume = volumes.get(name);
    if (name === "") errors.push(required(at.name));
    if (names.has(name)) errors.push(invalid(at.name, name, "must be unique"));
    if (volume && !volume.persistentVolumeClaim && !volume.ephemeral) {
      errors.push(
        invalid(at.name, name, "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"),
      );
    }
    if (!volume) errors.push(notFound(at.name, name));
    if (devicePath === "") errors.push(required(at.devicePath));
    if (paths.has(devicePath)) errors.push(invalid(at.devicePath, devicePath, "must be unique"));
    if (checkNoBacksteps(devicePath, undefined).length > 0)
      errors.push(invalid(at.devicePath, devicePath, "can not contain backsteps ('..')"));
    else paths.add(devicePath);
    if (mounts.has(name)) errors.push(invalid(at.name, name, "must not already exist in volumeMounts"));
    if (mountPaths.has(devicePath))
      errors.push(invalid(at.devicePath, devicePath, "must not already exist as a path in volumeMounts"));
    if (name !== "") names.add(name);
  }
  return errors;
}
