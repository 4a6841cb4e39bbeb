import type { Pod } from "../../pod/objects.js";

type Volume = NonNullable<NonNullable<Pod["spec"]>["volumes"]>[number];

/** Whether some volume is a disk that pods on one node cannot share. */
export const hasExclusiveDisk = (pod: Pod): boolean => pod.spec?.volumes?.some(isExclusive) ?? false;

const isExclusive = ({ gcePersistentDisk, awsElasticBlockStore, rbd, iscsi }: Volume): boolean =>
  Boolean(gcePersistentDisk || awsElasticBlockStore || rbd || iscsi);

/** Whether the pods want one disk, and not both for reading only. */
export function disksConflict(a: Pod, b: Pod): boolean {
  for (const first of a.spec?.volumes ?? [])
    if (isExclusive(first)) for (const second of b.spec?.volumes ?? []) if (conflict(first, second)) return true;
  return false;
}

function conflict(a: Volume, b: Volume): boolean {
  const bothReadOnly = (x: { readonly readOnly?: boolean }, y: { readonly readOnly?: boolean }): boolean =>
    Boolean(x.readOnly && y.readOnly);
  if (a.gcePersistentDisk && b.gcePersistentDisk)
    if (
      a.gcePersistentDisk.pdName === b.gcePersistentDisk.pdName &&
      !bothReadOnly(a.gcePersistentDisk, b.gcePersistentDisk)
    )
      return true;
  if (a.awsElasticBlockStore && a.awsElasticBlockStore.volumeID === b.awsElasticBlockStore?.volumeID) return true;
  if (a.iscsi && a.iscsi.iqn === b.iscsi?.iqn && !bothReadOnly(a.iscsi, b.iscsi)) return true;
  if (a.rbd && b.rbd) {
    const monitors = new Set(a.rbd.monitors);
    return (
      b.rbd.monitors.some((monitor) => monitors.has(monitor)) &&
      (a.rbd.pool ?? "") === (b.rbd.pool ?? "") &&
      a.rbd.image === b.rbd.image &&
      !bothReadOnly(a.rbd, b.rbd)
    );
  }
  return false;
}
