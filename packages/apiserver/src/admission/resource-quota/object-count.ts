import { one } from "./amounts.js";
import type { QuotaEvaluator } from "./evaluator.js";

/** Names that were there before `count/…`. */
const aliases = new Set(["configmaps", "resourcequotas", "replicationcontrollers", "secrets"]);

export const countName = (group: string, resource: string): string =>
  `count/${resource}${group === "" ? "" : `.${group}`}`;

/** Any kind of object: how many there are. */
export function countObjects(group: string, resource: string): QuotaEvaluator {
  const names = new Set([countName(group, resource), ...(group === "" && aliases.has(resource) ? [resource] : [])]);
  const usage = new Map([...names].map((name) => [name, one]));
  return {
    handles: ({ operation, subresource }) => operation === "CREATE" && subresource === "",
    counts: (name) => names.has(name),
    usage: () => usage,
  };
}
