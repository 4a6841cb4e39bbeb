import { X509Certificate } from "node:crypto";
import type { ClusterTrustBundle } from "@coxswain/api/certificates/v1beta1";
import type { ClusterTrustBundleProjection } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { labelSelectorFromObject } from "@coxswain/apimachinery/selector";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";

type Projection = DeepReadonly<
  Pick<ClusterTrustBundleProjection, "name" | "signerName" | "labelSelector" | "optional">
>;
type Bundle = DeepReadonly<ClusterTrustBundle>;

/** The trust anchors that a projection asks for, as PEM. @throws Error, in upstream's words */
export async function readTrustAnchors(client: Client, projection: Projection): Promise<string> {
  const { name, signerName, optional = false } = projection;
  const bundles = client.certificates.v1beta1.clustertrustbundles();
  if (name !== undefined) {
    const found = await bundles.get(name).catch((error: unknown) => {
      if (isNotFound(error) && optional) return undefined;
      throw new Error(`while getting ClusterTrustBundle: ${(error as Error).message}`, { cause: error });
    });
    return found ? joinAnchors([found]) : "";
  }
  if (signerName === undefined)
    throw new Error("ClusterTrustBundle projection requires either name or signerName to be set");
  const { items } = await bundles.list({ fieldSelector: `spec.signerName=${signerName}` });
  const selected = selectBundles(items, projection);
  if (selected.length === 0 && !optional)
    throw new Error("combination of signerName and labelSelector matched zero ClusterTrustBundles");
  return joinAnchors(selected);
}

/** Pure: no selector selects none, an empty one all. */
export function selectBundles(bundles: readonly Bundle[], { signerName, labelSelector }: Projection): Bundle[] {
  if (!labelSelector) return [];
  const selector = labelSelectorFromObject(labelSelector);
  return bundles.filter(
    ({ spec, metadata }) => spec.signerName === signerName && selector.matches(metadata?.labels ?? {}),
  );
}

const pemBlock = /-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]*-----END CERTIFICATE-----/g;

/** Pure: each certificate once, in an order that does not depend on the bundles', so that equal sets are equal files. */
export function joinAnchors(bundles: readonly Bundle[]): string {
  const certificates = new Map<string, string>();
  for (const { spec } of bundles)
    for (const block of spec.trustBundle.match(pemBlock) ?? []) {
      const certificate = new X509Certificate(block);
      certificates.set(certificate.fingerprint256, certificate.toString());
    }
  return [...certificates.keys()]
    .sort()
    .map((key) => certificates.get(key))
    .join("");
}
