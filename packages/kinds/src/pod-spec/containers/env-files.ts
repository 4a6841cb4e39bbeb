import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { type FieldError, type FieldPath, invalid, notFound } from "@coxswain/apimachinery/field";
import { containersOf } from "../visit-containers.js";

/** A variable read from a file: an init container wrote it, so the volume is an emptyDir. */
export function checkEnvFileVolumes(spec: DeepReadonly<PodSpec>, specPath: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const { container, path } of containersOf(spec, specPath)) {
    for (const [i, { valueFrom }] of (container.env ?? []).entries()) {
      const name = valueFrom?.fileKeyRef?.volumeName;
      if (name === undefined) continue;
      const at = path.child("env").index(i).child("valueFrom", "fileKeyRef", "volumeName");
      const volume = spec.volumes?.findLast((candidate) => candidate.name === name);
      if (!volume) errors.push(notFound(at, name));
      else if (!volume.emptyDir) errors.push(invalid(at, name, "referenced volume must be of type emptyDir"));
    }
  }
  return errors;
}
