import { aggregateText } from "@coxswain/apimachinery/field";
import { allowed, type Authorizer, type Decision, noOpinion } from "../attributes.js";
import type { HeldBinding } from "./held-bindings.js";
import { ruleAllows } from "./rule.js";
import { bindingsFor, describeBinding, missingRole, type RbacListers, rulesOfRole } from "./rule-resolver.js";

/** Said again and again of the same bindings. */
const decisions = new WeakMap<HeldBinding, Decision>();

function allowedBy(held: HeldBinding): Decision {
  let decision = decisions.get(held);
  if (!decision) decisions.set(held, (decision = allowed(`RBAC: allowed by ${describeBinding(held)}`)));
  return decision;
}

/** Allows what some role that the user is bound to allows, and says which. */
export const createRbacAuthorizer =
  (listers: RbacListers): Authorizer =>
  (asked) => {
    const errors: string[] = [];
    for (const held of bindingsFor(listers, asked.user, asked.namespace)) {
      const { roleRef } = held.binding;
      const rules = rulesOfRole(listers, roleRef, held.namespace);
      if (!rules) errors.push(missingRole(roleRef).message);
      else for (const rule of rules) if (ruleAllows(rule, asked)) return allowedBy(held);
    }
    const text = aggregateText(errors);
    return noOpinion(text === undefined ? "" : `RBAC: ${text}`);
  };
