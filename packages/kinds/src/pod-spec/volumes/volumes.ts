import type { DeepReadonly } from "@coxswain/api";
import type { Volume } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { checkDnsLabelAt } from "../../checks/field-errors.js";
import { checkVolumeSource, type VolumeSurroundings } from "./volume-source.js";

type ReadonlyVolume = DeepReadonly<Volume>;

export interface CheckedVolumes {
  readonly errors: FieldError[];
  /** Those without a fault, by name. A mount of another is reported as a mount of nothing. */
  readonly good: ReadonlyMap<string, ReadonlyVolume>;
}

export function checkVolumes(
  volumes: readonly ReadonlyVolume[],
  path: FieldPath,
  around: VolumeSurroundings,
): CheckedVolumes {
  const errors: FieldError[] = [];
  const good = new Map<string, ReadonlyVolume>();
  const madeClaims = claimsMadeFor(volumes, around.podName);
  for (const [i, volume] of volumes.entries()) {
    const at = path.index(i);
    const wrong = [...checkVolumeSource(volume, at, around), ...checkName(volume.name, at.child("name"))];
    if (good.has(volume.name)) wrong.push(duplicate(at.child("name"), volume.name));
    if (wrong.length === 0) good.set(volume.name, volume);
    append(errors, wrong);
    const claim = volume.persistentVolumeClaim?.claimName;
    if (claim !== undefined && madeClaims.has(claim)) {
      errors.push(
        invalid(
          at.child("persistentVolumeClaim").child("claimName"),
          claim,
          "must not reference a PVC that gets created for an ephemeral volume",
        ),
      );
    }
  }
  return { errors, good };
}

const checkName = (name: string, path: FieldPath): readonly FieldError[] =>
  name === "" ? [required(path)] : checkDnsLabelAt(name, path);

const claimsMadeFor = (volumes: readonly ReadonlyVolume[], podName: string): ReadonlySet<string> =>
  new Set(
    podName === ""
      ? []
      : volumes.filter(({ ephemeral }) => ephemeral !== undefined).map(({ name }) => `${podName}-${name}`),
  );
