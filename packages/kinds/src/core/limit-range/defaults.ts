import type { LimitRangeItem } from "@coxswain/api/core/v1";
import { getOwn, ownEntries, setOwn } from "@coxswain/apimachinery/own";

/** A container gets what it may have at most, and asks for what it gets, unless the limits have other defaults. */
export function setLimitDefaults(limit: LimitRangeItem): void {
  if (limit.type !== "Container") return;
  limit.default ??= {};
  limit.defaultRequest ??= {};
  addMissing(limit.default, limit.max);
  addMissing(limit.defaultRequest, limit.default);
  addMissing(limit.defaultRequest, limit.min);
}

function addMissing(list: Record<string, string>, from: Readonly<Record<string, string>> | undefined): void {
  for (const [name, amount] of ownEntries(from)) if (getOwn(list, name) === undefined) setOwn(list, name, amount);
}
