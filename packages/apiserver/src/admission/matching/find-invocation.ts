import type { DeepReadonly } from "@coxswain/api";
import type { RuleWithOperations } from "@coxswain/api/admissionregistration/v1";
import type { GroupVersionKind, GroupVersionResource } from "@coxswain/apimachinery/meta";
import type { EquivalentResources } from "./equivalent-resources.js";
import type { RequestedResource } from "./requested-resource.js";
import { ruleMatches } from "./rules.js";

/** In which form a webhook or policy sees a request. */
export interface Invocation {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

export interface Ruled {
  readonly rules?: readonly DeepReadonly<RuleWithOperations>[];
  /** Exact, or Equivalent: a request in another version of the resource counts, too. */
  readonly matchPolicy?: string;
}

/** Undefined: no rule covers the request. The request as it is comes before its equivalents, earlier rules before later ones. */
export function findInvocation(
  { rules = [], matchPolicy }: Ruled,
  request: RequestedResource,
  equivalents: EquivalentResources,
): Invocation | undefined {
  if (rules.some((rule) => ruleMatches(rule, request))) return { resource: request.resource, kind: request.kind };
  if (matchPolicy !== "Equivalent") return undefined;
  const others = equivalents
    .of(request.resource, request.subresource)
    .filter(
      ({ resource }) => resource.group !== request.resource.group || resource.version !== request.resource.version,
    );
  for (const rule of rules)
    for (const { resource, kind } of others) if (ruleMatches(rule, { ...request, resource })) return { resource, kind };
  return undefined;
}
