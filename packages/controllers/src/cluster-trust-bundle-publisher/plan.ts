import { createHash } from "node:crypto";
import type { DeepReadonly } from "@coxswain/api";
import type { ClusterTrustBundle } from "@coxswain/api/certificates/v1beta1";

/** Whose certificates the published bundle is for: those that API servers show. */
export const signerName = "kubernetes.io/kube-apiserver-serving";

type Bundle = DeepReadonly<ClusterTrustBundle>;

export interface BundlePlan {
  readonly create?: ClusterTrustBundle;
  readonly update?: ClusterTrustBundle;
  /** Names of bundles with older content. */
  readonly remove: readonly string[];
}

/** Each content has an object of its own: its name holds the first bytes of the content's hash. */
export const bundleName = (trustBundle: string): string =>
  `${signerName.replaceAll("/", ":")}:${createHash("sha256").update(trustBundle).digest("hex").slice(0, 24)}`;

/** Pure: what brings the bundles of the signer to this content. */
export function planBundle(trustBundle: string, all: readonly Bundle[]): BundlePlan {
  const name = bundleName(trustBundle);
  const own = all.filter(({ spec }) => spec.signerName === signerName);
  const current = own.find(({ metadata }) => metadata?.name === name);
  const remove = own.flatMap(({ metadata }) => (metadata?.name && metadata.name !== name ? [metadata.name] : []));
  if (!current) return { create: { metadata: { name }, spec: { signerName, trustBundle } }, remove };
  if (current.spec.trustBundle === trustBundle) return { remove };
  return { update: { ...(current as ClusterTrustBundle), spec: { signerName, trustBundle } }, remove };
}
