import type { DeepReadonly } from "@coxswain/api";
import type { PolicyRule } from "@coxswain/api/rbac/v1";
import { trimEndOf } from "@coxswain/apimachinery/text";
import type { Attributes } from "../attributes.js";

/** Whether a rule covers what is asked for. */
export function ruleAllows(rule: DeepReadonly<PolicyRule>, asked: Attributes): boolean {
  if (!hasOrAll(rule.verbs, asked.verb)) return false;
  if (!asked.isResource) return pathMatches(rule.nonResourceURLs, asked.path);
  return (
    hasOrAll(rule.apiGroups, asked.group) &&
    resourceMatches(rule.resources, asked) &&
    nameMatches(rule.resourceNames, asked.name)
  );
}

const hasOrAll = (list: readonly string[] | undefined, wanted: string): boolean =>
  list !== undefined && (list.includes("*") || list.includes(wanted));

/** A rule names a resource, a subresource (`pods/log`), one subresource of all resources (`*``/scale`), or everything. */
function resourceMatches(list: readonly string[] | undefined, { resource, subresource }: Attributes): boolean {
  if (!list) return false;
  if (subresource === "") return hasOrAll(list, resource);
  return hasOrAll(list, `${resource}/${subresource}`) || list.includes(`*/${subresource}`);
}

/** A rule without names is about all of them. */
const nameMatches = (list: readonly string[] | undefined, name: string): boolean =>
  list === undefined || list.length === 0 || list.includes(name);

function pathMatches(list: readonly string[] | undefined, path: string): boolean {
  return (list ?? []).some(
    (url) => url === "*" || url === path || (url.endsWith("*") && path.startsWith(trimEndOf(url, "*"))),
  );
}
