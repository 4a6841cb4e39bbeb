import { aggregateText } from "@coxswain/apimachinery/field";
import { allowed, type Authorizer, noOpinion } from "../attributes.js";
import { ruleAllows } from "./rule.js";
import { bindingsFor, describeBinding, missingRole, type RbacListers, rulesOfRole } from "./rule-resolver.js";

/** Allows what some role that the user is bound to allows, and says which. */
export const createRbacAuthorizer =
  (listers: RbacListers): Authorizer =>
  (asked) => {
    const errors: string[] = [];
    for (const held of bindingsFor(listers, asked.user, asked.namespace)) {
      const { roleRef } = held.binding;
      const rules = rulesOfRole(listers, roleRef, held.namespace);
      if (!rules) errors.push(missingRole(roleRef).message);
      else if (rules.some((rule) => ruleAllows(rule, asked))) return allowed(`RBAC: allowed by ${describeBinding(held)}`);
    }
    const text = aggregateText(errors);
    return noOpinion(text === undefined ? "" : `RBAC: ${text}`);
  };
