import { getOwn } from "@coxswain/apimachinery/own";

export const deletionCostAnnotation = "controller.kubernetes.io/pod-deletion-cost";

/** A 32-bit integer without plus sign or leading zeros, or nothing at all. */
export function deletionCostIsValid(annotations: Readonly<Record<string, string>> | undefined): boolean {
  const cost = getOwn(annotations, deletionCostAnnotation);
  if (cost === undefined) return true;
  // Upstream looks at the first character only, so that "-007" passes.
  return /^(0|-[0-9]+|[1-9][0-9]*)$/.test(cost) && Number(cost) >= -(2 ** 31) && Number(cost) < 2 ** 31;
}
