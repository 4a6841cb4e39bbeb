import { createLazyModule, type LazyModule } from "@coxswain/runtime/lazy-module";
import type { LazyPolicyEngine } from "../../admission/policies/engine/lazy-policy-engine.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { ObjectDeps } from "../../objects/object-deps.js";
import type { LazyRuleCompiler } from "../custom-resources/lazy-rule-compiler.js";

export type ExpressionCompilers = Pick<
  ObjectDeps,
  "loadFor" | "ruleCompiler" | "admissionCompiler" | "compileDeviceSelector"
>;

const withConditions = [
  "mutatingadmissionpolicies",
  "mutatingwebhookconfigurations",
  "validatingadmissionpolicies",
  "validatingwebhookconfigurations",
];
const withSelectors = ["deviceclasses", "resourceclaims", "resourceclaimtemplates"];

/** What compiles the expressions of stored kinds: loaded before the first write of a kind that has some. */
export function createExpressionCompilers({
  rules,
  policyEngine,
}: {
  readonly rules: LazyRuleCompiler;
  readonly policyEngine: LazyPolicyEngine;
}): ExpressionCompilers {
  const selectors = createLazyModule(() => import("@coxswain/cel/devices"));
  const needed = new Map<string, LazyModule<unknown>>([
    [storedKind("apiextensions.k8s.io", "customresourcedefinitions").storagePrefix, rules],
    ...withConditions.map(
      (resource) => [storedKind("admissionregistration.k8s.io", resource).storagePrefix, policyEngine] as const,
    ),
    ...withSelectors.map((resource) => [storedKind("resource.k8s.io", resource).storagePrefix, selectors] as const),
  ]);
  return {
    loadFor(kind) {
      const compiler = needed.get(kind.storagePrefix);
      return compiler && !compiler.loaded ? compiler.load() : undefined;
    },
    ruleCompiler: () => rules.loaded,
    admissionCompiler: () => policyEngine.loaded?.compiler,
    compileDeviceSelector: () => selectors.loaded?.compileDeviceSelector,
  };
}
