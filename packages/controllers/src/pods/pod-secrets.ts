import type { DeepReadonly } from "@coxswain/api";
import type { Container, Volume } from "@coxswain/api/core/v1";
import type { CachedPod } from "./pod-state.js";

/** Pure: the names of the secrets that the pod refers to, in its own namespace; some may be there twice. */
export function podSecrets({ spec }: CachedPod): string[] {
  const containers = [
    ...(spec?.initContainers ?? []),
    ...(spec?.containers ?? []),
    ...(spec?.ephemeralContainers ?? []),
  ] as DeepReadonly<Container>[];
  const names = [
    ...(spec?.imagePullSecrets ?? []).map(({ name }) => name),
    ...containers.flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ]),
    ...(spec?.volumes ?? []).flatMap(volumeSecrets),
  ];
  return names.filter((name) => name !== undefined && name !== "") as string[];
}

function volumeSecrets(volume: DeepReadonly<Volume>): (string | undefined)[] {
  const { cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, csi } = volume;
  return [
    volume.secret?.secretName,
    volume.azureFile?.secretName,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    ...[cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos].map((source) => source?.secretRef?.name),
    csi?.nodePublishSecretRef?.name,
  ];
}
