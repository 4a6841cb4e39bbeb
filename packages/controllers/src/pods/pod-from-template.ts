import type { DeepReadonly } from "@coxswain/api";
import type { Pod, PodTemplateSpec } from "@coxswain/api/core/v1";
import { cloneJson } from "@coxswain/apimachinery/json";
import type { OwnerReference } from "@coxswain/apimachinery/meta";
import { nameIsDnsSubdomain } from "@coxswain/apimachinery/validation";

/** Pure: a pod as the template describes it, controlled by `controller`, with a name that begins with the owner's. */
export function podFromTemplate(
  template: DeepReadonly<PodTemplateSpec>,
  ownerName: string,
  controller: OwnerReference,
): Pod {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      generateName: podPrefix(ownerName),
      ...(labels && { labels: { ...labels } }),
      ...(annotations && { annotations: { ...annotations } }),
      ...(finalizers && { finalizers: [...finalizers] }),
      ownerReferences: [controller],
    },
    ...(template.spec && { spec: cloneJson(template.spec) as NonNullable<PodTemplateSpec["spec"]> }),
  };
}

/** With a dash, unless that makes a name that pods must not have. */
const podPrefix = (ownerName: string): string =>
  nameIsDnsSubdomain(`${ownerName}-`, true).length === 0 ? `${ownerName}-` : ownerName;
