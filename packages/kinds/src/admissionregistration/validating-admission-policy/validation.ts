import type { DeepReadonly } from "@coxswain/api";
import type { AuditAnnotation, ExpressionWarning, Validation } from "@coxswain/api/admissionregistration/v1";
import { duplicate, type FieldError, fieldPath, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { JsonPathError, parseJsonPath } from "@coxswain/apimachinery/jsonpath";
import { utf8Length, validateConditions } from "@coxswain/apimachinery/validation";
import { checkPlainMeta } from "../../checks/object-meta.js";
import { checkOneOf, checkQualifiedNameAt } from "../../pod-spec/complaints.js";
import { checkPolicy } from "../policy-validation.js";
import type { StoredValidatingAdmissionPolicy } from "./stored.js";

type Policy = DeepReadonly<StoredValidatingAdmissionPolicy>;

const specPath = fieldPath("spec");
const mostAnnotations = 20;
const longestAnnotationBytes = 5 * 1024;

/** `old`: what an update is made to. That expressions compile is not checked here. */
export function checkValidatingAdmissionPolicy({ metadata, spec }: Policy, old?: Policy): FieldError[] {
  const { validations = [], auditAnnotations = [] } = spec;
  const errors = [...checkPlainMeta(metadata, { namespaced: false }), ...checkPolicy(spec, old?.spec)];
  if (validations.length === 0 && auditAnnotations.length === 0) {
    return [
      ...errors,
      ...["validations", "auditAnnotations"].map((member) =>
        required(specPath.child(member), "validations or auditAnnotations must contain at least one item"),
      ),
    ];
  }
  errors.push(
    ...validations.flatMap((validation, at) => checkValidation(validation, specPath.child("validations").index(at))),
  );
  return [...errors, ...checkAnnotations(auditAnnotations, metadata.name ?? "", specPath.child("auditAnnotations"))];
}

function checkValidation(
  { expression, message = "", messageExpression = "", reason }: DeepReadonly<Validation>,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (expression.trim() === "") errors.push(required(path.child("expression"), "expression is not specified"));
  if (messageExpression !== "" && messageExpression.trim() === "")
    errors.push(invalid(path.child("messageExpression"), messageExpression, "must be non-empty if specified"));
  if (message !== "" && message.trim() === "")
    errors.push(invalid(path.child("message"), message, "must be non-empty if specified"));
  else if (/[\n\r]/.test(message.trim()))
    errors.push(invalid(path.child("message"), message, "must not contain line breaks"));
  if (reason !== undefined)
    errors.push(...checkOneOf(reason, ["Forbidden", "Invalid", "RequestEntityTooLarge"], path.child("reason")));
  return errors;
}

function checkAnnotations(
  annotations: readonly DeepReadonly<AuditAnnotation>[],
  policyName: string,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (annotations.length > mostAnnotations) {
    const printed = annotations.map(({ key, valueExpression }) => ({ Key: key, ValueExpression: valueExpression }));
    errors.push(invalid(path, printed, `must not have more than ${mostAnnotations} auditAnnotations`));
  }
  const keys = new Set<string>();
  for (const [at, annotation] of annotations.entries()) {
    const keyPath = path.index(at).child("key");
    errors.push(
      ...(policyName === ""
        ? [invalid(keyPath, annotation.key, "requires metadata.name be non-empty")]
        : checkQualifiedNameAt(`${policyName}/${annotation.key}`, keyPath)),
    );
    errors.push(
      ...checkAnnotationExpression(annotation.valueExpression.trim(), path.index(at).child("valueExpression")),
    );
    if (keys.has(annotation.key)) errors.push(duplicate(keyPath, annotation.key));
    keys.add(annotation.key);
  }
  return errors;
}

function checkAnnotationExpression(expression: string, path: FieldPath): FieldError[] {
  if (expression === "") return [required(path, "valueExpression is not specified")];
  return utf8Length(expression) > longestAnnotationBytes
    ? [required(path, `must not exceed ${longestAnnotationBytes} bytes in length`)]
    : [];
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
