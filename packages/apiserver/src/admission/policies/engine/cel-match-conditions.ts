import type { Runtime } from "@coxswain/runtime";
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
  runtime,
}: {
  readonly policyEngine: LazyPolicyEngine;
  readonly authorizer: Authorizer;
  readonly runtime: Runtime;
}): MatchConditionCompiler {
  return {
    compile(conditions) {
      let compiled: EvaluateConditions | undefined;
      return {
        async evaluate(input) {
          compiled ??= await runSteps(runtime.scheduler, (await policyEngine.load()).compileConditions(conditions));
          const evaluate = compiled;
          const checks = createAccessChecks(authorizer);
          return checks.run(() => evaluate(input, checks.check));
        },
      };
    },
  };
}
