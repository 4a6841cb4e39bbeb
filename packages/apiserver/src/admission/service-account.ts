import type { Container, ServiceAccount, Volume } from "@coxswain/api/core/v1";
import { generateName, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn } from "@coxswain/apimachinery/own";
import type { StoredPod } from "@coxswain/kinds/core/pod";
import type { RandomSource } from "@coxswain/runtime/random";
import type { Lister } from "../cache/lister.js";
import { type AdmissionAttributes, type AdmissionPlugin, isPodItself } from "./admission.js";
import { forbid } from "./forbid.js";
import { checkMountableSecrets, enforcesMountableSecrets } from "./mountable-secrets.js";

type StoredAccount = ServiceAccount & KubernetesObject;

const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const volumePrefix = "kube-api-access-";
/** Kubelets renew tokens with just this life; see the token request. */
const tokenSeconds = 3607;
const mirror = "kubernetes.io/config.mirror";

export interface ServiceAccountOptions {
  readonly accounts: Lister<StoredAccount>;
  readonly random: RandomSource;
}

/** Every pod runs as a service account, whose token it finds in its containers. */
export function createServiceAccount({ accounts, random }: ServiceAccountOptions): AdmissionPlugin {
  function accountOf(attributes: AdmissionAttributes, pod: StoredPod): StoredAccount {
    const name = pod.spec.serviceAccountName ?? "";
    const account = accounts.get(`/registry/serviceaccounts/${attributes.namespace}/${name}`);
    if (!account)
      throw forbid(
        attributes,
        `error looking up service account ${attributes.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`,
      );
    return account;
  }

  function check(attributes: AdmissionAttributes): void {
    const pod = attributes.object as StoredPod;
    if (isMirror(pod)) return checkMirror(attributes, pod);
    if (!pod.spec.serviceAccountName)
      throw forbid(
        attributes,
        `no service account specified for pod ${attributes.namespace}/${pod.metadata.name ?? ""}`,
      );
    const account = accountOf(attributes, pod);
    const refusal = enforcesMountableSecrets(account) ? checkMountableSecrets(pod.spec, account) : undefined;
    if (refusal !== undefined) throw forbid(attributes, refusal);
  }

  return {
    name: "ServiceAccount",
    operations: ["CREATE"],
    admit(attributes) {
      if (!isPodItself(attributes)) return;
      const pod = attributes.object as StoredPod;
      if (isMirror(pod)) return check(attributes);
      if (!pod.spec.serviceAccountName) pod.spec.serviceAccountName = "default";
      // The older name of the same field follows it.
      pod.spec.serviceAccount = pod.spec.serviceAccountName;
      const account = accountOf(attributes, pod);
      if (pod.spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)
        mountToken(pod, random);
      const pullSecrets = account.imagePullSecrets ?? [];
      if ((pod.spec.imagePullSecrets?.length ?? 0) === 0 && pullSecrets.length > 0)
        pod.spec.imagePullSecrets = pullSecrets.map(({ name }) => ({ name: name ?? "" }));
      check(attributes);
    },
    validate(attributes) {
      if (isPodItself(attributes)) check(attributes);
    },
  };
}

const isMirror = ({ metadata }: StoredPod): boolean => getOwn(metadata.annotations, mirror) !== undefined;

/** A mirror of a static pod exists without the server, so it cannot have anything from there. */
function checkMirror(attributes: AdmissionAttributes, { spec }: StoredPod): void {
  if (spec.serviceAccountName) throw forbid(attributes, "a mirror pod may not reference service accounts");
  const containers = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...((spec.ephemeralContainers ?? []) as Container[]),
  ];
  const usesSecrets =
    (spec.imagePullSecrets?.length ?? 0) > 0 ||
    containers.some(
      ({ env = [], envFrom = [] }) =>
        env.some(({ valueFrom }) => valueFrom?.secretKeyRef) || envFrom.some(({ secretRef }) => secretRef),
    ) ||
    (spec.volumes ?? []).some(({ secret, projected }) => secret ?? projected?.sources?.some((source) => source.secret));
  if (usesSecrets) throw forbid(attributes, "a mirror pod may not reference secrets");
  if ((spec.volumes ?? []).some(({ projected }) => projected?.sources?.some((source) => source.serviceAccountToken)))
    throw forbid(attributes, "a mirror pod may not use ServiceAccountToken volume projections");
}

function mountToken({ spec }: StoredPod, random: RandomSource): void {
  const existing = (spec.volumes ?? []).find(({ name }) => name.startsWith(volumePrefix));
  const name = existing?.name ?? generateName(volumePrefix, random);
  let needed = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if ((container.volumeMounts ?? []).some((mount) => mount.mountPath === mountPath)) continue;
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath }];
    needed = true;
  }
  if (needed && !existing) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

const tokenVolume = (name: string): Volume => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: tokenSeconds, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
        },
      },
    ],
    defaultMode: 0o644,
  },
});
