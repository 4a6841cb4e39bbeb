import type { EnvFromSource, EnvVar, PodSpec, Volume } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";

/**
 * Pure: the kind of API objects that a pod refers to, in upstream's words; undefined: none. A static pod must run without an
 * API server, so that it may refer to none.
 */
export function referencedKind(spec: DeepReadonly<PodSpec>): string | undefined {
  if (spec.serviceAccountName) return "serviceaccounts";
  const containers = [...spec.containers, ...(spec.initContainers ?? [])];
  const env = containers.flatMap(({ env: variables = [] }) => variables);
  const envFrom = containers.flatMap(({ envFrom: sources = [] }) => sources);
  if ((spec.imagePullSecrets ?? []).length > 0 || refersTo("secret", env, envFrom)) return "secrets";
  if (refersTo("configMap", env, envFrom)) return "configmaps";
  if ((spec.resourceClaims ?? []).length > 0) return "resourceclaims";
  for (const volume of spec.volumes ?? []) {
    const kind = kindOfVolume(volume);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

const refersTo = (
  kind: "secret" | "configMap",
  env: readonly DeepReadonly<EnvVar>[],
  envFrom: readonly DeepReadonly<EnvFromSource>[],
): boolean =>
  env.some(({ valueFrom }) => valueFrom?.[`${kind}KeyRef`] !== undefined) ||
  envFrom.some((source) => source[`${kind}Ref`] !== undefined);

function kindOfVolume(volume: DeepReadonly<Volume>): string | undefined {
  if (volume.configMap) return "configmaps (via configmap volumes)";
  if (volume.secret) return "secrets (via secret volumes)";
  if (volume.csi) return "csidrivers (via CSI volumes)";
  if (volume.glusterfs) return "endpoints (via glusterFS volumes)";
  if (volume.persistentVolumeClaim) return "persistentvolumeclaims";
  if (volume.ephemeral) return "persistentvolumeclaims (via ephemeral volumes)";
  if (volume.azureFile) return "secrets (via azureFile volumes)";
  for (const source of volume.projected?.sources ?? []) {
    if (source.configMap) return "configmaps (via projected volumes)";
    if (source.secret) return "secrets (via projected volumes)";
    if (source.serviceAccountToken) return "serviceaccounts (via projected volumes)";
    if (source.clusterTrustBundle) return "clustertrustbundles";
    if (source.podCertificate) return "podcertificates";
  }
  return undefined;
}
