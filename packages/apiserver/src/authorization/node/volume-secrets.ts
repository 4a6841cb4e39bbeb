import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolume } from "@coxswain/api/core/v1";

export interface SecretRef {
  readonly namespace: string;
  readonly name: string;
}

/** The secrets that a node needs to mount a volume. Old volumes name no namespace: their claim's is meant. */
export function volumeSecrets({ spec }: DeepReadonly<PersistentVolume>): SecretRef[] {
  const home = spec?.claimRef?.namespace ?? "";
  const { azureFile, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, csi } = spec ?? {};
  const found: { namespace?: string; name?: string }[] = [];
  if (azureFile) found.push({ namespace: azureFile.secretNamespace || home, name: azureFile.secretName });
  for (const source of [cephfs, flexVolume, rbd, scaleIO, iscsi])
    if (source?.secretRef) found.push({ ...source.secretRef, namespace: source.secretRef.namespace || home });
  for (const source of [cinder, storageos])
    if (source?.secretRef)
      found.push({ namespace: source.secretRef.namespace ?? "", name: source.secretRef.name ?? "" });
  // What the controllers of a driver need is not for nodes.
  for (const ref of [csi?.nodePublishSecretRef, csi?.nodeStageSecretRef, csi?.nodeExpandSecretRef])
    if (ref) found.push(ref);
  return found.flatMap(({ namespace = "", name = "" }) => (name === "" ? [] : [{ namespace, name }]));
}
