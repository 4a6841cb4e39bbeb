import type { DeepReadonly } from "@coxswain/api";
import type { PolicyRule } from "@coxswain/api/rbac/v1";
import { trimEndOf } from "@coxswain/apimachinery/text";

export type Rule = DeepReadonly<PolicyRule>;

/** A set of held rules, one bit for each. */
export type RuleSet = bigint;

/** For maps. Not the number itself: V8 hashes only its lowest 64 bits, so that sets which differ above them all collide. */
export const keyOf = (rules: RuleSet): string => rules.toString(32);

/** Which of a list of held rules cover one verb, group, resource, name or path: one look-up each, however long the rules' lists are. */
export interface HeldIndex {
  readonly all: RuleSet;
  /** Rules that are not limited to certain names. */
  readonly unnamed: RuleSet;
  verb(verb: string): RuleSet;
  group(group: string): RuleSet;
  resource(resource: string): RuleSet;
  name(name: string): RuleSet;
  path(path: string): RuleSet;
}

export function indexHeld(held: readonly Rule[]): HeldIndex {
  const [verbs, groups, resources, names, paths, prefixes] = Array.from(
    { length: 6 },
    () => new Map<string, RuleSet>(),
  );
  let unnamed = 0n;
  for (const [at, rule] of held.entries()) {
    const bit = 1n << BigInt(at);
    add(verbs, rule.verbs, bit);
    add(groups, rule.apiGroups, bit);
    add(resources, rule.resources, bit);
    add(names, rule.resourceNames, bit);
    add(paths, rule.nonResourceURLs, bit);
    const starred = rule.nonResourceURLs?.filter((url) => url.endsWith("*"));
    add(
      prefixes,
      starred?.map((url) => trimEndOf(url, "*")),
      bit,
    );
    if ((rule.resourceNames?.length ?? 0) === 0) unnamed |= bit;
  }
  return {
    all: (1n << BigInt(held.length)) - 1n,
    unnamed,
    verb: (verb) => at(verbs, verb) | at(verbs, "*"),
    group: (group) => at(groups, group) | at(groups, "*"),
    resource(resource) {
      const slash = resource.indexOf("/");
      const ofAny = slash < 0 ? 0n : at(resources, `*${resource.slice(slash)}`);
      return at(resources, resource) | at(resources, "*") | ofAny;
    },
    name: (name) => unnamed | at(names, name),
    path(path) {
      let found = at(paths, path);
      for (const [prefix, rules] of prefixes ?? []) if (path.startsWith(prefix)) found |= rules;
      return found;
    },
  };
}

const at = (map: ReadonlyMap<string, RuleSet> | undefined, key: string): RuleSet => map?.get(key) ?? 0n;

function add(map: Map<string, RuleSet> | undefined, keys: readonly string[] | undefined, bit: RuleSet): void {
  for (const key of keys ?? []) map?.set(key, at(map, key) | bit);
}
