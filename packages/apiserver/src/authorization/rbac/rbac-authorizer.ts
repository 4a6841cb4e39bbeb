import { aggregateText } from "@coxswain/apimachinery/field";
import { allowed, type Authorizer, noOpinion } from "../attributes.js";
import { ruleAllows } from "./rule.js";
import { missingRole, type RbacListers, rulesFor } from "./rule-resolver.js";

/** Allows what some role that the user is bound to allows, and says which. */
export const createRbacAuthorizer =
  (listers: RbacListers): Authorizer =>
  (asked) => {
    const errors: string[] = [];
    for (const held of rulesFor(listers, asked.user, asked.namespace)) {
      if ("missing" in held) errors.push(missingRole(held.missing).message);
      else if (ruleAllows(held.rule, asked)) return allowed(`RBAC: allowed by ${held.source()}`);
    }
    const text = aggregateText(errors);
    return noOpinion(text === undefined ? "" : `RBAC: ${text}`);
  };
