import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { formatMicroTime } from "@coxswain/apimachinery/time";
import { randomUuid } from "@coxswain/runtime/random";
import { identityName } from "../../configuration/identity-name.js";
import type { ObjectDeps } from "../../objects/object-deps.js";

const durationSeconds = 3600;
export const identityLabel = "apiserver.kubernetes.io/identity";

export interface Identity {
  readonly hostname: string;
  /** How other servers reach this one. */
  readonly peerAddress?: string;
}

/** The Lease by which others see that this server is alive. */
export function identityLease(
  { hostname, peerAddress }: Identity,
  deps: Pick<ObjectDeps, "runtime">,
): KubernetesObject {
  const name = identityName(hostname);
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: {
      name,
      namespace: "kube-system",
      labels: { [identityLabel]: "kube-apiserver", "kubernetes.io/hostname": hostname },
      ...(peerAddress === undefined ? {} : { annotations: { "kubernetes.io/peer-advertise-address": peerAddress } }),
    },
    spec: {
      holderIdentity: `${name}_${randomUuid(deps.runtime.random)}`,
      leaseDurationSeconds: durationSeconds,
      renewTime: formatMicroTime(deps.runtime.clock.now()),
    },
  } as KubernetesObject;
}
