import type { DeepReadonly } from "@coxswain/api";
import type { Mutation } from "@coxswain/api/admissionregistration/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import type { Steps } from "@coxswain/runtime/steps";
import { checkOneOf } from "../../checks/field-errors.js";
import { checkPlainMeta } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { createExpressionChecks, type ExpressionChecks } from "../expression-checks.js";
import { checkPolicy, storedConditions } from "../policy-validation.js";
import { checkMutatingRules } from "../rule-validation.js";
import type { StoredMutatingAdmissionPolicy } from "./stored.js";

type Policy = DeepReadonly<StoredMutatingAdmissionPolicy>;

const specPath = fieldPath("spec");

/** `old`: what an update is made to. */
export function* checkMutatingAdmissionPolicy(
  { metadata, spec }: Policy,
  old: Policy | undefined,
  { admissionCompiler }: Pick<StrategyContext, "admissionCompiler">,
): Steps<FieldError[]> {
  const { mutations = [], reinvocationPolicy } = spec;
  const applied = new Set((old?.spec.mutations ?? []).map((mutation) => mutation.applyConfiguration?.expression ?? ""));
  const checks = createExpressionChecks(admissionCompiler, {
    params: spec.paramKind !== undefined,
    withVariables: true,
    // Upstream looks for JSON patches among apply configurations.
    stored: { matchCondition: storedConditions(old?.spec), applyConfiguration: applied, jsonPatch: applied },
  });
  const reinvocationPath = specPath.child("reinvocationPolicy");
  const errors = checkPlainMeta(metadata, { namespaced: false });
  const ofPolicy = checkPolicy(spec, old?.spec, checks, ({ resourceRules = [] }) =>
    checkMutatingRules(resourceRules, specPath.child("matchConstraints", "resourceRules")),
  );
  append(errors, yield* ofPolicy);
  if (mutations.length === 0)
    errors.push(required(specPath.child("mutations"), "mutations must contain at least one item"));
  for (const [at, mutation] of mutations.entries())
    append(errors, yield* checkMutation(mutation, specPath.child("mutations").index(at), checks));
  append(
    errors,
    reinvocationPolicy
      ? checkOneOf(reinvocationPolicy, ["IfNeeded", "Never"], reinvocationPath)
      : [required(reinvocationPath)],
  );
  return errors;
}

const memberOf = { JSONPatch: "jsonPatch", ApplyConfiguration: "applyConfiguration" } as const;
const types = ["ApplyConfiguration", "JSONPatch"] as const;

function* checkMutation(
  mutation: DeepReadonly<Mutation>,
  path: FieldPath,
  checks: ExpressionChecks,
): Steps<FieldError[]> {
  if (!mutation.patchType) return [required(path.child("patchType"))];
  const type = types.find((one) => one === mutation.patchType);
  if (!type) return [notSupported(path.child("patchType"), namedText(mutation.patchType), types)];
  const member = memberOf[type];
  const other = type === "JSONPatch" ? "applyConfiguration" : "jsonPatch";
  const given = mutation[member];
  const errors: FieldError[] = [];
  if (!given) errors.push(required(path.child(member), `must be specified when patchType is ${type}`));
  else {
    const expression = (given.expression ?? "").trim();
    append(
      errors,
      expression === ""
        ? [required(path.child(member, "expression"))]
        : yield* checks.expression(member, expression, path.child(member, "expression")),
    );
  }
  if (mutation[other])
    errors.push(invalid(path.child(other), `{${other}}`, `must not be specified when patchType is ${type}`));
  return errors;
}
