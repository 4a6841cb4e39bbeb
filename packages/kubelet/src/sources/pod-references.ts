import { type CachedPod, containersOf, ephemeralContainersOf, initContainersOf } from "../objects/cached-pod.js";

/** Config maps and secrets of the pod's namespace that it names. */
export interface PodReferences {
  readonly configmaps: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

/** Pure: what a pod's variables, volumes and pulls are made from. As `VisitPodConfigmapNames` and `VisitPodSecretNames` upstream. */
export function podReferences(pod: CachedPod): PodReferences {
  const configmaps = new Set<string | undefined>();
  const secrets = new Set<string | undefined>(pod.spec?.imagePullSecrets?.map(({ name }) => name));
  for (const { env = [], envFrom = [] } of [
    ...containersOf(pod),
    ...initContainersOf(pod),
    ...ephemeralContainersOf(pod),
  ]) {
    for (const { valueFrom } of env) {
      configmaps.add(valueFrom?.configMapKeyRef?.name);
      secrets.add(valueFrom?.secretKeyRef?.name);
    }
    for (const { configMapRef, secretRef } of envFrom) {
      configmaps.add(configMapRef?.name);
      secrets.add(secretRef?.name);
    }
  }
  for (const { configMap, secret, projected } of pod.spec?.volumes ?? []) {
    configmaps.add(configMap?.name);
    secrets.add(secret?.secretName);
    for (const source of projected?.sources ?? []) {
      configmaps.add(source.configMap?.name);
      secrets.add(source.secret?.name);
    }
  }
  return { configmaps: namesOf(configmaps), secrets: namesOf(secrets) };
}

const namesOf = (names: ReadonlySet<string | undefined>): Set<string> =>
  new Set([...names].filter((name) => name !== undefined && name !== "") as string[]);
