import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import type { CachedClaim, CachedVolume } from "../volumes/cached-volumes.js";

const isLess = (amount: string | undefined, size: string): boolean =>
  parseQuantity(amount ?? "0").compare(parseQuantity(size)) < 0;

/** Pure: the size that a bound claim asks for and does not have; undefined: it has it. */
export function wantedSize({ spec, status }: CachedClaim): string | undefined {
  const wanted = getOwn(spec?.resources?.requests, "storage");
  if (wanted === undefined || status?.phase !== "Bound") return undefined;
  return isLess(getOwn(status.capacity, "storage"), wanted) ? wanted : undefined;
}

/** Pure: whether the volume itself is still smaller. */
export const isSmaller = ({ spec }: CachedVolume, size: string): boolean =>
  isLess(getOwn(spec?.capacity, "storage"), size);
