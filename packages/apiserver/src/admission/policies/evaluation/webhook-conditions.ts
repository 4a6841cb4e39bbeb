import type { DeepReadonly } from "@coxswain/api";
import type { MatchCondition } from "@coxswain/api/admissionregistration/v1";
import type { GroupVersionResource } from "@coxswain/apimachinery/meta";
import { type AdmissionCompiler, type CompiledExpression, createEvaluator } from "@coxswain/cel/admission";
import {
  authorizerValue,
  type CheckAccess,
  celLimits,
  jsonToValue,
  resourceCheckValue,
} from "@coxswain/cel/kubernetes";
import type { Steps } from "@coxswain/runtime/steps";
import type { ConditionInput, ConditionOutcome } from "../../matching/match-conditions.js";

/** Has no effects, and can be run again. @throws OutOfBudget */
export type EvaluateConditions = (input: ConditionInput, check: CheckAccess) => readonly ConditionOutcome[];

/** Match conditions of a webhook, which has neither parameters nor variables. */
export function* compileWebhookConditions(
  { plain, microsFor }: AdmissionCompiler,
  conditions: readonly DeepReadonly<MatchCondition>[],
): Steps<EvaluateConditions> {
  const compiled: { readonly name: string; readonly condition: CompiledExpression }[] = [];
  for (const { name, expression } of conditions) {
    const condition = plain.compile("matchCondition", expression, { params: false, isStored: true });
    compiled.push({ name, condition });
    yield microsFor(expression);
  }
  return ({ object, old, request, user }, check) => {
    const about = request as Partial<Record<"requestSubResource" | "namespace" | "name", string>> & {
      readonly requestResource: GroupVersionResource;
    };
    const { group, resource } = about.requestResource;
    const evaluator = createEvaluator({
      bindings: new Map([
        ["object", jsonToValue(object ?? null)],
        ["oldObject", jsonToValue(old ?? null)],
        ["namespaceObject", null],
        ["request", jsonToValue(request)],
        ["authorizer", authorizerValue(user, check)],
        [
          "authorizer.requestResource",
          resourceCheckValue(user, check, {
            group,
            resource,
            subresource: about.requestSubResource ?? "",
            namespace: about.namespace ?? "",
            name: about.name ?? "",
          }),
        ],
      ]),
    });
    const budget = { remaining: celLimits.matchConditions };
    return compiled.map(({ name, condition }): ConditionOutcome => {
      const outcome = evaluator.evaluate(condition, budget);
      return outcome.error === undefined ? { name, holds: outcome.value !== false } : { name, error: outcome.error };
    });
  };
}
