import { deleteOwn, ownKeys } from "@coxswain/apimachinery/own";

/** Init containers stood in annotations once. Nobody reads these any more, and they are taken away. */
const annotations = [
  "pod.beta.kubernetes.io/init-containers",
  "pod.alpha.kubernetes.io/init-containers",
  "pod.beta.kubernetes.io/init-container-statuses",
  "pod.alpha.kubernetes.io/init-container-statuses",
];

export function dropInitContainerAnnotations(metadata: { annotations?: Record<string, string> } | undefined): void {
  if (!metadata?.annotations) return;
  for (const name of annotations) deleteOwn(metadata.annotations, name);
  if (ownKeys(metadata.annotations).length === 0) delete metadata.annotations;
}
