import type { Runtime } from "@coxswain/runtime";
import type { Soon } from "@coxswain/runtime/soon";
import { runSteps, type Steps } from "@coxswain/runtime/steps";
import type { PolicyEngine } from "./policy-engine.js";

export type EvaluatorOf<P, E> = (engine: PolicyEngine, policy: P) => Soon<E>;

/** Compiles each policy at its first use. A changed policy is another object. */
export function compileOnce<P extends object, E>(
  { scheduler }: Runtime,
  compile: (engine: PolicyEngine, policy: P) => Steps<E>,
): EvaluatorOf<P, E> {
  const compiled = new WeakMap<P, Soon<E>>();
  return (engine, policy) => {
    let evaluator = compiled.get(policy);
    if (!evaluator) compiled.set(policy, (evaluator = runSteps(scheduler, compile(engine, policy))));
    return evaluator;
  };
}
