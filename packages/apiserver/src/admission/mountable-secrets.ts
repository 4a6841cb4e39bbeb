import type { Container, PodSpec, ServiceAccount } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";

type Account = ServiceAccount & KubernetesObject;

/** Accounts may ask that their pods use no secrets but those that they list. */
export function enforcesMountableSecrets({ metadata }: Account): boolean {
  const value = getOwn(metadata.annotations, "kubernetes.io/enforce-mountable-secrets") ?? "";
  return ["1", "t", "T", "true", "TRUE", "True"].includes(value);
}

/** Why the pod may not have a secret that it wants; undefined: it may have all. */
export function checkMountableSecrets(
  spec: PodSpec,
  { metadata, secrets = [], imagePullSecrets = [] }: Account,
): string | undefined {
  const account = metadata.name ?? "";
  const allowed = new Set(secrets.map(({ name }) => name));
  for (const { secret } of spec.volumes ?? []) {
    if (secret && !allowed.has(secret.secretName))
      return `volume with secret.secretName="${secret.secretName ?? ""}" is not allowed because service account ${account} does not reference that secret`;
  }
  const refusal =
    checkContainers("init container", spec.initContainers, allowed, account) ??
    checkContainers("container", spec.containers, allowed, account);
  if (refusal !== undefined) return refusal;
  const pull = new Set(imagePullSecrets.map(({ name }) => name));
  const wrong = (spec.imagePullSecrets ?? []).findIndex(({ name }) => !pull.has(name));
  if (wrong < 0) return undefined;
  return `imagePullSecrets[${wrong}].name="${spec.imagePullSecrets?.[wrong]?.name ?? ""}" is not allowed because service account ${account} does not reference that imagePullSecret`;
}

function checkContainers(
  what: string,
  containers: readonly Container[] | undefined,
  allowed: ReadonlySet<string | undefined>,
  account: string,
): string | undefined {
  for (const { name, env = [], envFrom = [] } of containers ?? []) {
    for (const { name: variable, valueFrom } of env) {
      const secret = valueFrom?.secretKeyRef;
      if (secret && !allowed.has(secret.name))
        return `${what} ${name} with envVar ${variable} referencing secret.secretName="${secret.name ?? ""}" is not allowed because service account ${account} does not reference that secret`;
    }
    for (const { secretRef } of envFrom) {
      if (secretRef && !allowed.has(secretRef.name))
        return `${what} ${name} with envFrom referencing secret.secretName="${secretRef.name ?? ""}" is not allowed because service account ${account} does not reference that secret`;
    }
  }
  return undefined;
}
