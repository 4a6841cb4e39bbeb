import { trimEndOf } from "@coxswain/apimachinery/text";
import type { UserInfo } from "../../request/user-info.js";
import { type Attributes, type Authorizer, allowed, noOpinion } from "../attributes.js";
import type { UserRules } from "../user-rules.js";
import type { AbacPolicy } from "./abac-policy.js";

const readVerbs = ["get", "list", "watch"];

/** Allows what some line of the policy file allows. */
export const createAbacAuthorizer =
  (policies: readonly AbacPolicy[]): Authorizer =>
  (asked) =>
    policies.some(
      (policy) =>
        appliesTo(policy, asked.user) && (!policy.readonly || readVerbs.includes(asked.verb)) && isAbout(policy, asked),
    )
      ? allowed()
      : noOpinion("No policy matched.");

/** What the file gives a user. */
export function abacRules(
  policies: readonly AbacPolicy[],
  user: UserInfo,
  namespace: string,
): Pick<UserRules, "resourceRules" | "nonResourceRules"> {
  const held = policies.filter(
    (policy) => appliesTo(policy, user) && (policy.namespace === "*" || policy.namespace === namespace),
  );
  const verbs = ({ readonly }: AbacPolicy): string[] => (readonly ? [...readVerbs] : ["*"]);
  return {
    resourceRules: held.flatMap((policy) =>
      policy.resource === ""
        ? []
        : [{ verbs: verbs(policy), apiGroups: [policy.apiGroup], resources: [policy.resource] }],
    ),
    nonResourceRules: held.flatMap((policy) =>
      policy.nonResourcePath === "" ? [] : [{ verbs: verbs(policy), nonResourceURLs: [policy.nonResourcePath] }],
    ),
  };
}

/** A policy names a user, a group, or both; one that names nobody is for nobody. */
function appliesTo({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user !== "" && user !== "*" && user !== name) return false;
  if (group !== "" && group !== "*" && !groups.includes(group)) return false;
  return user !== "" || group !== "";
}

function isAbout(policy: AbacPolicy, asked: Attributes): boolean {
  const covers = (held: string, wanted: string): boolean => held === "*" || held === wanted;
  if (asked.isResource)
    return (
      covers(policy.namespace, asked.namespace) &&
      covers(policy.resource, asked.resource) &&
      covers(policy.apiGroup, asked.group)
    );
  const { nonResourcePath } = policy;
  return (
    covers(nonResourcePath, asked.path) ||
    (nonResourcePath.endsWith("*") && asked.path.startsWith(trimEndOf(nonResourcePath, "*")))
  );
}
