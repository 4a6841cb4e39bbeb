import { aggregateText } from "@coxswain/apimachinery/field";
import { type Authorizer, allowed, type Decision, noOpinion } from "../attributes.js";
import type { HeldBinding } from "./held-bindings.js";
import { ruleAllows } from "./rule.js";
import { bindingsFor, describeBinding, missingRole, type RbacListers, rulesOfBinding } from "./rule-resolver.js";

/** Made again and again for the same bindings. */
const decisions = new WeakMap<HeldBinding, Decision>();

function allowedBy(held: HeldBinding): Decision {
  let decision = decisions.get(held);
  if (!decision) decisions.set(held, (decision = allowed(`RBAC: allowed by ${describeBinding(held)}`)));
  return decision;
}

/** Allows what some role that the user is bound to allows, and returns which. */
export const createRbacAuthorizer =
  (listers: RbacListers): Authorizer =>
  (asked) => {
    let errors: string[] | undefined;
    for (const held of bindingsFor(listers, asked.user, asked.namespace)) {
      const rules = rulesOfBinding(listers, held);
      if (!rules) (errors ??= []).push(missingRole(held.binding.roleRef).message);
      else for (const rule of rules) if (ruleAllows(rule, asked)) return allowedBy(held);
    }
    return noOpinion(errors ? `RBAC: ${aggregateText(errors) ?? ""}` : "");
  };
