import type { ScopedResourceSelectorRequirement } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AdmissionAttributes } from "../admission.js";
import type { Amounts } from "./amounts.js";

export type Scope = DeepReadonly<ScopedResourceSelectorRequirement>;

/** What quotas count of one kind of object. */
export interface QuotaEvaluator {
  /** Whether this write can change what is counted. */
  handles(attributes: AdmissionAttributes): boolean;
  /** Whether a resource of a quota is one of those that this kind uses. */
  counts(resource: string): boolean;
  /** Whether the object is inside a scope. Left out: the kind knows no scopes, so that no quota with a scope is about it. */
  isInScope?(scope: Scope, object: KubernetesObject): boolean;
  /** Why the object may not be counted: it does not say what quotas on these resources need. */
  problem?(resources: ReadonlySet<string>, object: KubernetesObject): string | undefined;
  usage(object: KubernetesObject): Amounts;
}

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
