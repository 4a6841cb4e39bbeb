import { one } from "./amounts.js";
import type { UsageEvaluator } from "./usage-evaluator.js";

/** Names that were there before `count/…`. */
const aliases = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

export const countName = (group: string, resource: string): string =>
  `count/${resource}${group === "" ? "" : `.${group}`}`;

/** What is not kept is not counted; events never were. */
const ignored = new Set(["/bindings", "/componentstatuses", "/events", "events.k8s.io/events"]);
const ignoredGroups = new Set(["authentication.k8s.io", "authorization.k8s.io"]);

/** Whether quotas may count objects of a resource. */
export const isQuotable = (group: string, resource: string): boolean =>
  !ignored.has(`${group}/${resource}`) && !ignoredGroups.has(group);

/** Any kind of object: how many there are. */
export function countObjects(group: string, resource: string): UsageEvaluator {
  const names = new Set([countName(group, resource), ...(group === "" && aliases.has(resource) ? [resource] : [])]);
  const usage = new Map([...names].map((name) => [name, one]));
  return {
    counts: (name) => names.has(name),
    usage: () => usage,
  };
}
