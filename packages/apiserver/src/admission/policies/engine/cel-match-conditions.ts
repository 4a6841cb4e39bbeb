import type { Scheduler } from "@coxswain/runtime/scheduler";
import { runSteps } from "@coxswain/runtime/steps";
import type { Authorizer } from "../../../authorization/attributes.js";
import type { MatchConditionCompiler } from "../../matching/match-conditions.js";
import { createAccessChecks } from "../evaluation/access-checks.js";
import type { EvaluateConditions } from "../evaluation/webhook-conditions.js";
import type { LazyPolicyEngine } from "./lazy-policy-engine.js";

/** Match conditions in CEL, which is loaded with the first of them. */
export function createCelConditionCompiler({
  policyEngine,
  authorizer,
  scheduler,
}: {
  readonly policyEngine: LazyPolicyEngine;
  readonly authorizer: Authorizer;
  readonly scheduler: Scheduler;
}): MatchConditionCompiler {
  return {
    compile(conditions) {
      let compiled: EvaluateConditions | undefined;
      return {
        async evaluate(input) {
          compiled ??= await runSteps(scheduler, (await policyEngine.load()).compileConditions(conditions));
          const evaluate = compiled;
          const checks = createAccessChecks(authorizer);
          return checks.run(() => evaluate(input, checks.check));
        },
      };
    },
  };
}
