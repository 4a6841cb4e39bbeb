import { trimEndOf } from "@coxswain/apimachinery/text";
import type { Attributes } from "../authorization/attributes.js";
import type { Level, Stage } from "./audit-event.js";

/** `audit.k8s.io/v1` Policy: the first rule that matches a request decides what is recorded of it. */
export interface Policy {
  readonly rules: readonly PolicyRule[];
  readonly omitStages?: readonly Stage[];
  readonly omitManagedFields?: boolean;
}

/** Every member that is given must match. */
export interface PolicyRule {
  readonly level: Level;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly GroupResources[];
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly Stage[];
  readonly omitManagedFields?: boolean;
}

export interface GroupResources {
  readonly group?: string;
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** The policy's verdict on one request. */
export interface Ruling {
  readonly level: Level;
  readonly omitStages: ReadonlySet<Stage>;
  readonly omitManagedFields: boolean;
}

/** Rulings are made once, so that a request costs no more than the matching. */
export function createRuler(policy: Policy): (attributes: Attributes) => Ruling {
  const { omitManagedFields = false, omitStages = [] } = policy;
  const rulings = policy.rules.map((rule) => ({
    rule,
    ruling: {
      level: rule.level,
      omitStages: new Set([...omitStages, ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? omitManagedFields,
    },
  }));
  const otherwise: Ruling = { level: "None", omitStages: new Set(omitStages), omitManagedFields };
  return (attributes) => rulings.find(({ rule }) => matches(rule, attributes))?.ruling ?? otherwise;
}

function matches(rule: PolicyRule, attributes: Attributes): boolean {
  const { users = [], userGroups = [], verbs = [], namespaces = [], resources = [], nonResourceURLs = [] } = rule;
  const { user, verb } = attributes;
  if (users.length > 0 && !users.includes(user.name)) return false;
  if (userGroups.length > 0 && !user.groups.some((group) => userGroups.includes(group))) return false;
  if (verbs.length > 0 && !verbs.includes(verb)) return false;
  if (namespaces.length > 0 || resources.length > 0) return matchesResource(namespaces, resources, attributes);
  if (nonResourceURLs.length > 0)
    return !attributes.isResource && nonResourceURLs.some((url) => matchesPath(url, attributes.path));
  return true;
}

/** Objects outside namespaces are in the namespace "". */
function matchesResource(
  namespaces: readonly string[],
  resources: readonly GroupResources[],
  attributes: Attributes,
): boolean {
  if (!attributes.isResource) return false;
  if (namespaces.length > 0 && !namespaces.includes(attributes.namespace)) return false;
  return resources.length === 0 || resources.some((named) => matchesNamed(named, attributes));
}

function matchesNamed(
  { group: wanted = "", resources = [], resourceNames = [] }: GroupResources,
  { group, resource, subresource, name }: Attributes,
): boolean {
  if (wanted !== group && wanted !== "*") return false;
  if (resources.length === 0) return true;
  if (resourceNames.length > 0 && !resourceNames.includes(name)) return false;
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  return resources.some(
    (text) =>
      text === whole || text === "*" || (subresource !== "" && text === `*/${subresource}`) || text === `${resource}/*`,
  );
}

const matchesPath = (url: string, path: string): boolean =>
  url === "*" || url === path || (url.endsWith("*") && path.startsWith(trimEndOf(url, "*")));
