import { checkLabelKey } from "@coxswain/apimachinery/validation";

/** Kubernetes knows it: it has no domain, or one of Kubernetes' own. */
export const isNativeResource = (name: string): boolean => !name.includes("/") || name.includes("kubernetes.io/");

/** What a node may have beside what Kubernetes knows. */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith("requests.") && checkLabelKey(`requests.${name}`).length === 0;
