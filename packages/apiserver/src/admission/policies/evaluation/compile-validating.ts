import type { DeepReadonly } from "@coxswain/api";
import type { ValidatingAdmissionPolicySpec, Validation } from "@coxswain/api/admissionregistration/v1";
import { utf8Length } from "@coxswain/apimachinery/validation";
import { typeOf } from "@coxswain/cel";
import {
  type AdmissionCompiler,
  type CompiledExpression,
  type ExpressionOutcome,
  OutOfBudget,
  type PolicyCompiler,
} from "@coxswain/cel/admission";
import { celLimits } from "@coxswain/cel/kubernetes";
import type { Steps } from "@coxswain/runtime/steps";
import { compileVariables } from "./compile-variables.js";
import { evaluateMatchConditions } from "./match-conditions.js";
import { evaluatorOf, newBudget, type PolicyInput } from "./policy-input.js";
import type {
  AnnotationResult,
  PolicyDecision,
  ValidatingEvaluator,
  ValidationResult,
} from "./validating-evaluator.js";

type Spec = DeepReadonly<ValidatingAdmissionPolicySpec>;

/** A policy's expressions, compiled. */
interface Compiled {
  readonly spec: Spec;
  readonly compiler: PolicyCompiler;
  readonly conditions: readonly CompiledExpression[];
  readonly validations: readonly CompiledExpression[];
  /** By validation; undefined for those without a message expression. */
  readonly messages: readonly (CompiledExpression | undefined)[];
  readonly annotations: readonly CompiledExpression[];
}

/** Expressions that do not compile are decisions of the evaluation: they were accepted by a server that knew more. */
export function* compileValidatingPolicy(compilers: AdmissionCompiler, spec: Spec): Steps<ValidatingEvaluator> {
  const { matchConditions = [], validations = [], auditAnnotations = [], variables = [] } = spec;
  const policy = yield* compileVariables(compilers, variables, { hasParams: spec.paramKind !== undefined });
  const messages: (CompiledExpression | undefined)[] = [];
  for (const { messageExpression } of validations)
    messages.push(messageExpression ? yield* policy.compile("message", messageExpression) : undefined);
  const compiled: Compiled = {
    spec,
    compiler: policy.compiler,
    conditions: yield* policy.compileAll(
      "matchCondition",
      matchConditions.map(({ expression }) => expression),
    ),
    validations: yield* policy.compileAll(
      "validation",
      validations.map(({ expression }) => expression),
    ),
    messages,
    annotations: yield* policy.compileAll(
      "auditAnnotation",
      auditAnnotations.map(({ valueExpression }) => valueExpression),
    ),
  };
  return { validate: (input) => validate(compiled, input) };
}

function validate(policy: Compiled, input: PolicyInput): ValidationResult {
  const { spec, compiler, conditions, validations, annotations } = policy;
  const failurePolicy = spec.failurePolicy ?? "Fail";
  const verdict = evaluateMatchConditions(conditions, { input, compiler, failurePolicy });
  const failed = (message: string): PolicyDecision => ({ isDenied: failurePolicy !== "Ignore", message });
  if (verdict.error !== undefined) return { decisions: [failed(verdict.error)], annotations: [] };
  if (!verdict.matches) return { decisions: [], annotations: [] };
  try {
    const budget = newBudget(celLimits.perObject);
    const evaluator = evaluatorOf(input, compiler);
    const outcomes = validations.map((validation) => evaluator.evaluate(validation, budget));
    const messages = evaluateMessages(policy, input, budget.remaining);
    const decisions = outcomes.map((outcome, index): PolicyDecision => {
      if (outcome.error !== undefined) return failed(outcome.error);
      if (messages instanceof OutOfBudget) return failed(`failed messageExpression: ${messages.message}`);
      if (outcome.value === true) return { isDenied: false, message: "" };
      const validation = (spec.validations ?? [])[index] as DeepReadonly<Validation>;
      return {
        isDenied: true,
        reason: validation.reason ?? "Invalid",
        message: messageOf(validation, messages[index]),
      };
    });
    const annotated = evaluatorOf(input, compiler);
    const annotationBudget = newBudget(celLimits.perObject);
    return {
      decisions,
      annotations: annotations.map((annotation, index) => {
        const { key, valueExpression } = (spec.auditAnnotations ?? [])[index] as {
          key: string;
          valueExpression: string;
        };
        return annotationOf(annotated.evaluate(annotation, annotationBudget), { key, valueExpression, failurePolicy });
      }),
    };
  } catch (error) {
    if (error instanceof OutOfBudget) return { decisions: [failed(error.message)], annotations: [] };
    throw error;
  }
}

/** All of them, whether they are needed or not: they share a budget, and one that spends it fails every validation. */
function evaluateMessages(
  { compiler, messages }: Compiled,
  input: PolicyInput,
  remaining: number,
): readonly (ExpressionOutcome | undefined)[] | OutOfBudget {
  const evaluator = evaluatorOf(input, compiler, { authorizer: false });
  const budget = newBudget(remaining);
  try {
    return messages.map((message) => message && evaluator.evaluate(message, budget));
  } catch (error) {
    if (error instanceof OutOfBudget) return error;
    throw error;
  }
}

/** What the message expression makes if it is one line of fit length, else the message, else the expression. */
function messageOf(
  { message = "", expression }: DeepReadonly<Validation>,
  made: ExpressionOutcome | undefined,
): string {
  const value = made && made.error === undefined && typeof made.value === "string" ? made.value.trim() : "";
  if (value !== "" && utf8Length(value) <= celLimits.messageBytes && !value.includes("\n")) return value;
  return message.trim() || `failed expression: ${expression.trim()}`;
}

function annotationOf(
  outcome: ExpressionOutcome,
  { key, valueExpression, failurePolicy }: { key: string; valueExpression: string; failurePolicy: string },
): AnnotationResult {
  if (outcome.error !== undefined)
    return failurePolicy === "Ignore" ? { key, action: "exclude" } : { key, action: "error", error: outcome.error };
  const { value } = outcome;
  if (value === null) return { key, action: "exclude" };
  if (typeof value !== "string")
    return {
      key,
      action: "error",
      error: `valueExpression '${valueExpression}' resulted in unsupported return type: ${typeOf(value).name}. Return type must be either string or null.`,
    };
  const text = value.trim();
  return text === "" ? { key, action: "exclude" } : { key, action: "publish", value: text };
}
