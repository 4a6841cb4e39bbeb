import type { DeepReadonly } from "@coxswain/api";
import type { AuditAnnotation, ExpressionWarning, Validation } from "@coxswain/api/admissionregistration/v1";
import { append } from "@coxswain/apimachinery/append";
import { duplicate, type FieldError, type FieldPath, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { JsonPathError, parseJsonPath } from "@coxswain/apimachinery/jsonpath";
import { utf8Length, validateConditions } from "@coxswain/apimachinery/validation";
import type { Steps } from "@coxswain/runtime/steps";
import { checkOneOf, checkQualifiedNameAt } from "../../checks/field-errors.js";
import { checkPlainMeta } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { type CheckedPolicy, createExpressionChecks, type ExpressionChecks } from "../expression-checks.js";
import { checkPolicy, storedConditions } from "../policy-validation.js";
import type { StoredValidatingAdmissionPolicy } from "./stored.js";

type Policy = DeepReadonly<StoredValidatingAdmissionPolicy>;

const specPath = fieldPath("spec");
const mostAnnotations = 20;
const longestAnnotationBytes = 5 * 1024;

/** `old`: what an update is made to. */
export function* checkValidatingAdmissionPolicy(
  { metadata, spec }: Policy,
  old: Policy | undefined,
  { admissionCompiler }: Pick<StrategyContext, "admissionCompiler">,
): Steps<FieldError[]> {
  const { validations = [], auditAnnotations = [] } = spec;
  const checks = createExpressionChecks(admissionCompiler, {
    params: spec.paramKind !== undefined,
    withVariables: (spec.variables ?? []).length > 0,
    stored: storedExpressions(old),
  });
  const errors = [...checkPlainMeta(metadata, { namespaced: false }), ...(yield* checkPolicy(spec, old?.spec, checks))];
  if (validations.length === 0 && auditAnnotations.length === 0) {
    return [
      ...errors,
      ...["validations", "auditAnnotations"].map((member) =>
        required(specPath.child(member), "validations or auditAnnotations must contain at least one item"),
      ),
    ];
  }
  for (const [at, validation] of validations.entries())
    append(errors, yield* checkValidation(validation, specPath.child("validations").index(at), checks));
  append(errors, yield* checkAnnotations(auditAnnotations, metadata.name ?? "", checks));
  return errors;
}

function storedExpressions(old: Policy | undefined): CheckedPolicy["stored"] {
  const { validations = [], auditAnnotations = [] } = old?.spec ?? {};
  return {
    matchCondition: storedConditions(old?.spec),
    validation: new Set(validations.map(({ expression }) => expression)),
    message: new Set(validations.map(({ messageExpression = "" }) => messageExpression)),
    auditAnnotation: new Set(auditAnnotations.map(({ valueExpression }) => valueExpression)),
  };
}

function* checkValidation(
  { expression, message = "", messageExpression = "", reason }: DeepReadonly<Validation>,
  path: FieldPath,
  checks: ExpressionChecks,
): Steps<FieldError[]> {
  const errors: FieldError[] = [];
  if (expression.trim() === "") errors.push(required(path.child("expression"), "expression is not specified"));
  else append(errors, yield* checks.expression("validation", expression, path.child("expression")));
  if (messageExpression !== "" && messageExpression.trim() === "")
    errors.push(invalid(path.child("messageExpression"), messageExpression, "must be non-empty if specified"));
  else if (messageExpression !== "")
    append(errors, yield* checks.expression("message", messageExpression, path.child("messageExpression")));
  if (message !== "" && message.trim() === "")
    errors.push(invalid(path.child("message"), message, "must be non-empty if specified"));
  else if (/[\n\r]/.test(message.trim()))
    errors.push(invalid(path.child("message"), message, "must not contain line breaks"));
  if (reason !== undefined)
    append(errors, checkOneOf(reason, ["Forbidden", "Invalid", "RequestEntityTooLarge"], path.child("reason")));
  return errors;
}

function* checkAnnotations(
  annotations: readonly DeepReadonly<AuditAnnotation>[],
  policyName: string,
  checks: ExpressionChecks,
): Steps<FieldError[]> {
  const path = specPath.child("auditAnnotations");
  const errors: FieldError[] = [];
  if (annotations.length > mostAnnotations) {
    const printed = annotations.map(({ key, valueExpression }) => ({ Key: key, ValueExpression: valueExpression }));
    errors.push(invalid(path, printed, `must not have more than ${mostAnnotations} auditAnnotations`));
  }
  const keys = new Set<string>();
  for (const [at, annotation] of annotations.entries()) {
    const keyPath = path.index(at).child("key");
    append(
      errors,
      policyName === ""
        ? [invalid(keyPath, annotation.key, "requires metadata.name be non-empty")]
        : checkQualifiedNameAt(`${policyName}/${annotation.key}`, keyPath),
    );
    append(
      errors,
      yield* checkAnnotationExpression(annotation.valueExpression, path.index(at).child("valueExpression"), checks),
    );
    if (keys.has(annotation.key)) errors.push(duplicate(keyPath, annotation.key));
    keys.add(annotation.key);
  }
  return errors;
}

function* checkAnnotationExpression(written: string, path: FieldPath, checks: ExpressionChecks): Steps<FieldError[]> {
  const expression = written.trim();
  if (expression === "") return [required(path, "valueExpression is not specified")];
  return utf8Length(expression) > longestAnnotationBytes
    ? [required(path, `must not exceed ${longestAnnotationBytes} bytes in length`)]
    : yield* checks.expression("auditAnnotation", expression, path, written);
}

export function checkValidatingAdmissionPolicyStatus({ status }: Policy): FieldError[] {
  const path = fieldPath("status", "typeChecking", "expressionWarnings");
  return [
    ...(status.typeChecking?.expressionWarnings ?? []).flatMap((warning, at) =>
      checkExpressionWarning(warning, path.index(at)),
    ),
    ...validateConditions(status.conditions ?? [], fieldPath("status", "conditions")),
  ];
}

function checkExpressionWarning({ fieldRef, warning }: DeepReadonly<ExpressionWarning>, path: FieldPath): FieldError[] {
  const field = fieldRef.trim();
  const refPath = path.child("fieldRef");
  const errors = warning === "" ? [required(path.child("warning"))] : [];
  if (field === "") return [...errors, required(refPath)];
  try {
    parseJsonPath(`{${field}}`);
    return errors;
  } catch (err) {
    if (err instanceof JsonPathError) return [...errors, invalid(refPath, field, `invalid JSONPath: ${err.message}`)];
    throw err;
  }
}
