import type { DeepReadonly } from "@coxswain/api";
import type { ConfigMap } from "@coxswain/api/core/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";

/** The ConfigMap that every namespace has. */
export const bundleName = "kube-root-ca.crt";

const descriptionAnnotation = "kubernetes.io/description";
/** A fact of the API: clients see it, so it is upstream's text. */
const description =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. " +
  "No other usage is guaranteed across distributions of Kubernetes clusters.";

export type BundlePlan =
  | { readonly kind: "nothing" }
  | { readonly kind: "create" | "update"; readonly configMap: ConfigMap };

/** Pure: what brings the namespace's bundle in line. Any description will do; other annotations and labels stay. */
export function planBundle(existing: DeepReadonly<ConfigMap> | undefined, rootCa: string): BundlePlan {
  const data = { "ca.crt": rootCa };
  if (!existing)
    return {
      kind: "create",
      configMap: { metadata: { name: bundleName, annotations: { [descriptionAnnotation]: description } }, data },
    };
  const annotations = existing.metadata?.annotations;
  if (equalJson(existing.data, data) && getOwn(annotations, descriptionAnnotation)) return { kind: "nothing" };
  return {
    kind: "update",
    configMap: {
      ...(existing as ConfigMap),
      metadata: {
        ...(existing.metadata as NonNullable<ConfigMap["metadata"]>),
        annotations: { ...annotations, [descriptionAnnotation]: description },
      },
      data,
    },
  };
}
