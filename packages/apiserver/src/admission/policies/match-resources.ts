import type { DeepReadonly } from "@coxswain/api";
import type { MatchResources, NamedRuleWithOperations } from "@coxswain/api/admissionregistration/v1";
import { labelSelectorFromObject, type Selector, SelectorError } from "@coxswain/apimachinery/selector";
import { internalError, isStatusError } from "@coxswain/apimachinery/status";
import type { AdmissionAttributes } from "../admission.js";
import type { EquivalentResources } from "../matching/equivalent-resources.js";
import type { Invocation } from "../matching/find-invocation.js";
import type { RequestedResource } from "../matching/requested-resource.js";
import { ruleMatches } from "../matching/rules.js";
import { type NamespaceLister, namespaceMatches, objectMatches } from "../matching/selectors.js";

export interface MatchDeps {
  readonly namespaces: NamespaceLister;
  readonly equivalents: EquivalentResources;
}

/** One request, as policies are matched with it. */
export interface MatchedRequest {
  readonly attributes: AdmissionAttributes;
  readonly requested: RequestedResource;
}

/**
 * In which form a policy sees the request, or undefined where it is not for it.
 * @throws StatusError where that cannot be found out
 */
export function matchResources(
  resources: DeepReadonly<MatchResources>,
  { attributes, requested }: MatchedRequest,
  { namespaces, equivalents }: MatchDeps,
): Invocation | undefined {
  const selectors = selectorsOf(resources);
  const inNamespace = namespaceMatches(selectors.namespace, attributes, namespaces);
  if (inNamespace === false || !objectMatches(selectors.object, attributes)) return undefined;
  const { resourceRules = [], excludeResourceRules = [], matchPolicy } = resources;
  const find = (rules: Rules): Invocation | undefined =>
    findNamed(rules, {
      name: attributes.name,
      requested,
      equivalents: matchPolicy === "Equivalent" ? equivalents : undefined,
    });
  if (find(excludeResourceRules)) return undefined;
  const { resource, kind } = requested;
  const found = resourceRules.length === 0 ? { resource, kind } : find(resourceRules);
  // What is wrong counts only for policies that are for the request otherwise.
  if (found && isStatusError(inNamespace)) throw inNamespace;
  return found;
}

type Rules = readonly DeepReadonly<NamedRuleWithOperations>[];

interface Sought {
  readonly name: string;
  readonly requested: RequestedResource;
  /** Undefined: only the request as it is counts. */
  readonly equivalents: EquivalentResources | undefined;
}

/** The request as it is comes before its equivalents, earlier rules before later ones. */
function findNamed(rules: Rules, { name, requested, equivalents }: Sought): Invocation | undefined {
  const covers = (rule: Rules[number], request: RequestedResource): boolean =>
    ruleMatches(rule as Parameters<typeof ruleMatches>[0], request) &&
    ((rule.resourceNames ?? []).length === 0 || rule.resourceNames?.includes(name) === true);
  const { resource: own, kind } = requested;
  if (rules.some((rule) => covers(rule, requested))) return { resource: own, kind };
  if (rules.length === 0 || !equivalents) return undefined;
  const others = equivalents
    .of(own, requested.subresource)
    .filter(({ resource }) => resource.group !== own.group || resource.version !== own.version);
  for (const rule of rules)
    for (const { resource, kind } of others) if (covers(rule, { ...requested, resource })) return { resource, kind };
  return undefined;
}

interface Selectors {
  readonly namespace: Selector;
  readonly object: Selector;
}

/** Of stored objects, which do not change. */
const known = new WeakMap<DeepReadonly<MatchResources>, Selectors>();

function selectorsOf(resources: DeepReadonly<MatchResources>): Selectors {
  let found = known.get(resources);
  if (!found) {
    found = {
      namespace: read(resources.namespaceSelector, "namespace"),
      object: read(resources.objectSelector, "object"),
    };
    known.set(resources, found);
  }
  return found;
}

function read(selector: DeepReadonly<MatchResources>["objectSelector"], of: string): Selector {
  if (!selector)
    throw internalError(`a nil ${of} selector was passed, please ensure selectors are initialized properly`);
  try {
    return labelSelectorFromObject(selector);
  } catch (error) {
    if (error instanceof SelectorError) throw internalError(error.message, { cause: error });
    throw error;
  }
}
