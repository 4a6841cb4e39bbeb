import type { DeepReadonly } from "@coxswain/api";
import type { PolicyRule } from "@coxswain/api/rbac/v1";

export type Rule = DeepReadonly<PolicyRule>;

/** What of `wanted` no rule of `held` covers, in the smallest pieces: one verb, one group, one resource, one name, or one path. */
export function uncoveredRules(held: readonly Rule[], wanted: readonly Rule[]): Rule[] {
  return wanted.flatMap(breakDown).filter((piece) => !held.some((rule) => covers(rule, piece)));
}

/** An equivalent list of rules of one verb each. */
export function breakDown(rule: Rule): Rule[] {
  const pieces: Rule[] = [];
  const names = (rule.resourceNames?.length ?? 0) > 0 ? rule.resourceNames : undefined;
  for (const group of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of rule.verbs) {
        const piece = { apiGroups: [group], resources: [resource], verbs: [verb] };
        if (names) for (const name of names) pieces.push({ ...piece, resourceNames: [name] });
        else pieces.push(piece);
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of rule.verbs) pieces.push({ nonResourceURLs: [url], verbs: [verb] });
  return pieces;
}

/** A piece is either wholly covered by one rule or not at all. */
function covers(rule: Rule, piece: Rule): boolean {
  return (
    hasAll(rule.verbs, piece.verbs) &&
    hasAll(rule.apiGroups, piece.apiGroups) &&
    (piece.resources ?? []).every((resource) => coversResource(rule.resources ?? [], resource)) &&
    coversNames(rule.resourceNames ?? [], piece.resourceNames ?? []) &&
    (piece.nonResourceURLs ?? []).every((url) => (rule.nonResourceURLs ?? []).some((held) => coversPath(held, url)))
  );
}

const hasAll = (held: readonly string[] = [], wanted: readonly string[] = []): boolean =>
  held.includes("*") || wanted.every((each) => held.includes(each));

function coversResource(held: readonly string[], wanted: string): boolean {
  if (held.includes("*") || held.includes(wanted)) return true;
  const slash = wanted.indexOf("/");
  return slash >= 0 && held.includes(`*${wanted.slice(slash)}`);
}

/** A rule without names is about all of them; all of them are not covered by some. */
const coversNames = (held: readonly string[], wanted: readonly string[]): boolean =>
  held.length === 0 || (wanted.length > 0 && wanted.every((name) => held.includes(name)));

const coversPath = (held: string, wanted: string): boolean =>
  held === wanted || (held.endsWith("*") && wanted.startsWith(held.replace(/\*+$/, "")));
