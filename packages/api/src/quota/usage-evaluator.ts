import type { ResourceQuota, ScopedResourceSelectorRequirement } from "../gen/types/core-v1.js";
import type { DeepReadonly } from "../types/index.js";
import type { Amounts } from "./amounts.js";

export type Scope = DeepReadonly<ScopedResourceSelectorRequirement>;

/** What quotas count of one kind of object. */
export interface UsageEvaluator {
  /** Whether a resource of a quota is one of those that this kind uses. */
  counts(resource: string): boolean;
  /** Whether the object is inside a scope. Left out: the kind knows no scopes, so that no quota with a scope is about it. */
  isInScope?(scope: Scope, object: object): boolean;
  /** Why the object may not be counted: it lacks an amount that quotas on these resources need. */
  problem?(resources: ReadonlySet<string>, object: object): string | undefined;
  usage(object: object): Amounts;
}

/** All scopes that an object must be in for the quota to be about it. */
export const scopesOf = ({ spec }: DeepReadonly<ResourceQuota>): Scope[] => [
  ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: "Exists" }) as const),
  ...(spec?.scopeSelector?.matchExpressions ?? []),
];

/** Whether a value (undefined: there is none) fits a scope's operator and values. */
export function fitsScope({ operator, values = [] }: Scope, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    default:
      return value === undefined;
  }
}
