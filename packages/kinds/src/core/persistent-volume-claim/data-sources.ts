import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolumeClaimSpec, TypedLocalObjectReference } from "@coxswain/api/core/v1";

type Spec = DeepReadonly<PersistentVolumeClaimSpec>;

/** Where the data of a new volume comes from stands in two fields, of which the newer can express more. */
export function prepareDataSources(
  spec: PersistentVolumeClaimSpec,
  old: Spec | undefined,
  crossNamespace: boolean,
): void {
  if (!crossNamespace && spec.dataSourceRef?.namespace && !old?.dataSourceRef) delete spec.dataSourceRef;
  // The older field knows claims and snapshots only; anything else is forgotten, as it always was.
  if (!old?.dataSource && !old?.dataSourceRef && !spec.dataSourceRef && !isKnown(spec.dataSource))
    delete spec.dataSource;
  mirrorDataSources(spec);
}

export function mirrorDataSources(spec: PersistentVolumeClaimSpec): void {
  if (spec.dataSource && !spec.dataSourceRef) spec.dataSourceRef = copy(spec.dataSource);
  else if (spec.dataSourceRef && !spec.dataSource && !spec.dataSourceRef.namespace)
    spec.dataSource = copy(spec.dataSourceRef);
}

const copy = ({ apiGroup, kind, name }: TypedLocalObjectReference): TypedLocalObjectReference => ({
  ...(apiGroup !== undefined && { apiGroup }),
  kind,
  name,
});

function isKnown(source: TypedLocalObjectReference | undefined): boolean {
  if (source?.kind === "PersistentVolumeClaim") return !source.apiGroup;
  return source?.kind === "VolumeSnapshot" && source.apiGroup === "snapshot.storage.k8s.io";
}
