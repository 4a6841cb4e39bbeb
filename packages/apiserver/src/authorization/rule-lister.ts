import type { NonResourceRule, ResourceRule } from "@coxswain/api/authorization/v1";
import { append } from "@coxswain/apimachinery/append";
import { aggregateText } from "@coxswain/apimachinery/field";
import { cloneJson } from "@coxswain/apimachinery/json";
import type { CacheFeed } from "../cache/cache-feed.js";
import { abacRules } from "./abac/abac-authorizer.js";
import type { AuthorizerConfig } from "./authorizer-config.js";
import { rbacListers } from "./create-authorizer.js";
import { nodeOf } from "./node/node-identity.js";
import { missingRole, rulesFor } from "./rbac/rule-resolver.js";
import type { RuleLister } from "./user-rules.js";

/** What the configured modes allow a user, put together. That members of system:masters may do anything is no rule. */
export function createRuleLister(configs: readonly AuthorizerConfig[], feed: CacheFeed): RuleLister {
  const listers = rbacListers(feed);
  return (user, namespace) => {
    const resourceRules: ResourceRule[] = [];
    const nonResourceRules: NonResourceRule[] = [];
    const errors: string[] = [];
    let incomplete = false;
    for (const config of configs) {
      const { type: mode } = config;
      if (config.type === "ABAC") {
        const held = abacRules(config.policies, user, namespace);
        append(resourceRules, held.resourceRules);
        append(nonResourceRules, held.nonResourceRules);
      }
      if (mode === "Webhook") {
        incomplete = true;
        errors.push("webhook authorizer does not support user rule resolution");
      }
      if (mode === "Node" && nodeOf(user) !== undefined) {
        incomplete = true;
        errors.push("node authorizer does not support user rule resolution");
      }
      if (mode === "AlwaysAllow") {
        resourceRules.push({ verbs: ["*"], apiGroups: ["*"], resources: ["*"] });
        nonResourceRules.push({ verbs: ["*"], nonResourceURLs: ["*"] });
      }
      if (mode !== "RBAC") continue;
      for (const held of rulesFor(listers, user, namespace)) {
        if ("missing" in held) {
          errors.push(missingRole(held.missing).message);
          continue;
        }
        const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = cloneJson(held.rule) as ResourceRule &
          NonResourceRule;
        if ((resources?.length ?? 0) > 0)
          resourceRules.push({
            verbs,
            ...(apiGroups && { apiGroups }),
            ...(resources && { resources }),
            ...(resourceNames && { resourceNames }),
          });
        if ((nonResourceURLs?.length ?? 0) > 0)
          nonResourceRules.push({ verbs, ...(nonResourceURLs && { nonResourceURLs }) });
      }
    }
    const error = aggregateText(errors);
    return { resourceRules, nonResourceRules, incomplete, ...(error === undefined ? {} : { error }) };
  };
}
