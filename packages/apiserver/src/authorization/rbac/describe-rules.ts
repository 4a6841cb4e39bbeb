import { append } from "@coxswain/apimachinery/append";
import { quoteGo } from "@coxswain/apimachinery/field";
import type { Rule } from "./covers.js";

/** As Go prints a list of strings quoted: `["a" "b"]`. */
export const quoteList = (list: readonly string[]): string => `[${list.map(quoteGo).join(" ")}]`;

/** Rules that were broken down, one line for each resource or path, in alphabetical order. */
export function describeRules(rules: readonly Rule[]): string[] {
  const byResource = new Map<string, Rule & { verbs: string[] }>();
  const lines = new Set<string>();
  for (const rule of rules) {
    if ((rule.nonResourceURLs?.length ?? 0) > 0) {
      lines.add(describeRule(rule));
      continue;
    }
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames]);
    const known = byResource.get(key);
    if (known) append(known.verbs, rule.verbs);
    else byResource.set(key, { ...rule, verbs: [...rule.verbs] });
  }
  for (const rule of byResource.values()) lines.add(describeRule(rule));
  return [...lines].sort(byBytes);
}

export function describeRule({
  apiGroups = [],
  resources = [],
  nonResourceURLs = [],
  resourceNames = [],
  verbs = [],
}: Rule): string {
  const parts = [
    ["APIGroups", apiGroups],
    ["Resources", resources],
    ["NonResourceURLs", nonResourceURLs],
    ["ResourceNames", resourceNames],
    ["Verbs", verbs],
  ] as const;
  return `{${parts.flatMap(([name, list]) => (list.length === 0 ? [] : `${name}:${quoteList(list)}`)).join(", ")}}`;
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
