import { getOwn } from "@coxswain/apimachinery/own";
import { betaStorageClass } from "./annotations.js";
import type { CachedClaim, CachedClass, CachedVolume } from "./cached-volumes.js";

/** The class that a claim names, "" for none. The annotation is older than the field, and counts more. */
export const classOfClaim = ({ metadata, spec }: CachedClaim): string =>
  getOwn(metadata?.annotations, betaStorageClass) ?? spec?.storageClassName ?? "";

/** "" is a class too: that of volumes without one. */
export const hasClass = ({ metadata, spec }: CachedClaim): boolean =>
  getOwn(metadata?.annotations, betaStorageClass) !== undefined || spec?.storageClassName !== undefined;

export const classOfVolume = ({ metadata, spec }: CachedVolume): string =>
  getOwn(metadata?.annotations, betaStorageClass) ?? spec?.storageClassName ?? "";

export const isDefaultClass = ({ metadata }: CachedClass): boolean =>
  getOwn(metadata?.annotations, "storageclass.kubernetes.io/is-default-class") === "true" ||
  getOwn(metadata?.annotations, "storageclass.beta.kubernetes.io/is-default-class") === "true";

/** Of several defaults the youngest; of those made at the same time, the first by name. */
export function defaultClass(classes: readonly CachedClass[]): CachedClass | undefined {
  const rank = ({ metadata }: CachedClass): [string, string] => [
    metadata?.creationTimestamp ?? "",
    metadata?.name ?? "",
  ];
  let best: CachedClass | undefined;
  for (const each of classes) {
    if (!isDefaultClass(each)) continue;
    const [time, name] = rank(each);
    const [bestTime, bestName] = best ? rank(best) : ["", ""];
    if (!best || time > bestTime || (time === bestTime && name < bestName)) best = each;
  }
  return best;
}
