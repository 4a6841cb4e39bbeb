import type { DeepReadonly } from "@coxswain/api";
import type {
  JobSpec,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicyRule,
} from "@coxswain/api/batch/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  namedText,
  omittedValue,
  quoteGo,
  required,
  tooLong,
  tooMany,
} from "@coxswain/apimachinery/field";
import { asGiven } from "@coxswain/apimachinery/json";
import { utf8Length, validateNonnegative } from "@coxswain/apimachinery/validation";
import { checkOneOf, checkQualifiedNameAt } from "../../checks/field-errors.js";
import { repeatedPositions } from "../../checks/repeated-positions.js";
import { readIndexes } from "./indexes.js";

type Spec = DeepReadonly<JobSpec>;

const most = { rules: 20, exitCodes: 255, conditions: 20, indexesBytes: 64 * 1024 };

const validValues = (values: readonly string[]): string => `valid values: [${values.map(quoteGo).join(" ")}]`;

/** One of `values`; leaving it out is another error than a wrong one. */
const checkChoice = (value: string, values: readonly string[], path: FieldPath): readonly FieldError[] =>
  value === "" ? [required(path, validValues(values))] : checkOneOf(value, values, path);

/** What the failure of a pod means to the job. */
export function checkFailurePolicy(spec: Spec, path: FieldPath): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const at = path.child("rules");
  const pod = spec.template.spec;
  const names = new Set([...(pod?.containers ?? []), ...(pod?.initContainers ?? [])].map(({ name }) => name));
  return [
    ...(rules.length > most.rules ? [tooMany(at, rules.length, most.rules)] : []),
    ...rules.flatMap((rule, i) => checkFailureRule(spec, rule, at.index(i), names)),
  ];
}

function checkFailureRule(
  spec: Spec,
  { action, onExitCodes, onPodConditions }: DeepReadonly<PodFailurePolicyRule>,
  path: FieldPath,
  names: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  if (action === "FailIndex") {
    if (spec.backoffLimitPerIndex === undefined)
      errors.push(invalid(path.child("action"), namedText(action), "requires the backoffLimitPerIndex to be set"));
  } else append(errors, checkChoice(action, ["Count", "FailIndex", "FailJob", "Ignore"], path.child("action")));
  const hasConditions = (onPodConditions ?? []).length > 0;
  if (onExitCodes) append(errors, checkExitCodes(onExitCodes, path.child("onExitCodes"), names));
  if (hasConditions) append(errors, checkConditions(onPodConditions ?? [], path.child("onPodConditions")));
  if (onExitCodes && hasConditions)
    errors.push(invalid(path, omittedValue, "specifying both OnExitCodes and OnPodConditions is not supported"));
  if (!onExitCodes && !hasConditions)
    errors.push(invalid(path, omittedValue, "specifying one of OnExitCodes and OnPodConditions is required"));
  return errors;
}

function checkConditions(
  patterns: readonly DeepReadonly<PodFailurePolicyOnPodConditionsPattern>[],
  path: FieldPath,
): FieldError[] {
  return [
    ...(patterns.length > most.conditions ? [tooMany(path, patterns.length, most.conditions)] : []),
    ...patterns.flatMap(({ type, status }, at) => [
      ...checkQualifiedNameAt(type, path.index(at).child("type")),
      ...checkChoice(status ?? "", ["False", "True", "Unknown"], path.index(at).child("status")),
    ]),
  ];
}

function checkExitCodes(
  { operator, containerName, values }: DeepReadonly<PodFailurePolicyOnExitCodesRequirement>,
  path: FieldPath,
  names: ReadonlySet<string>,
): FieldError[] {
  const errors = [...checkChoice(operator, ["In", "NotIn"], path.child("operator"))];
  if (containerName !== undefined && !names.has(containerName)) {
    errors.push(
      invalid(
        path.child("containerName"),
        containerName,
        "must be one of the container or initContainer names in the pod template",
      ),
    );
  }
  const at = path.child("values");
  const codes = values ?? [];
  if (codes.length === 0) errors.push(invalid(at, values ?? null, "at least one value is required"));
  else if (codes.length > most.exitCodes) errors.push(tooMany(at, codes.length, most.exitCodes));
  const repeated = repeatedPositions(codes);
  for (const [i, code] of codes.entries()) {
    if (operator === "In" && code === 0) errors.push(invalid(at.index(i), code, "must not be 0 for the In operator"));
    if (repeated.has(i)) errors.push(duplicate(at.index(i), code));
  }
  if (codes.some((code, i) => i > 0 && (codes[i - 1] ?? 0) > code)) errors.push(invalid(at, codes, "must be ordered"));
  return errors;
}

/** When an indexed job has succeeded, though some of its indexes have not. */
export function checkSuccessPolicy(spec: Spec, path: FieldPath): FieldError[] {
  const rules = spec.successPolicy?.rules ?? [];
  const at = path.child("rules");
  return [
    ...(rules.length === 0
      ? [required(at, "at least one rules must be specified when the successPolicy is specified")]
      : []),
    ...(rules.length > most.rules ? [tooMany(at, rules.length, most.rules)] : []),
    ...rules.flatMap((rule, i) => checkSuccessRule(rule, spec.completions ?? 0, at.index(i))),
  ];
}

function checkSuccessRule(
  { succeededCount: count, succeededIndexes: indexes }: DeepReadonly<SuccessPolicyRule>,
  completions: number,
  path: FieldPath,
): FieldError[] {
  const errors =
    count === undefined && indexes === undefined
      ? [required(path, "at least one of succeededCount or succeededIndexes must be specified")]
      : [];
  let total = 0;
  if (indexes !== undefined) {
    const at = path.child("succeededIndexes");
    if (utf8Length(indexes) > most.indexesBytes) errors.push(tooLong(at, most.indexesBytes));
    const read = readIndexes(indexes, completions);
    if ("problem" in read) errors.push(invalid(at, indexes, `error parsing succeededIndexes: ${read.problem}`));
    else total = read.count;
  }
  if (count === undefined) return errors;
  const at = path.child("succeededCount");
  append(errors, validateNonnegative(count, at));
  if (count > completions)
    errors.push(
      invalid(at, count, `must be less than or equal to ${completions} (the number of specified completions)`),
    );
  if (indexes !== undefined && count > total)
    errors.push(
      invalid(
        at,
        count,
        `must be less than or equal to ${total} (the number of indexes in the specified succeededIndexes field)`,
      ),
    );
  return errors;
}

/** As Go prints its own forms. */
export const printedFailurePolicy = (policy: Spec["podFailurePolicy"]): unknown =>
  policy
    ? {
        Rules:
          policy.rules?.map((rule) => ({
            Action: rule.action,
            OnExitCodes: rule.onExitCodes
              ? {
                  ContainerName: rule.onExitCodes.containerName ?? null,
                  Operator: rule.onExitCodes.operator,
                  Values: rule.onExitCodes.values,
                }
              : null,
            OnPodConditions:
              rule.onPodConditions?.map(({ type, status }) => ({ Type: type, Status: status })) ??
              asGiven(rule, "onPodConditions", []),
          })) ?? null,
      }
    : null;

export const printedSuccessPolicy = (policy: Spec["successPolicy"]): unknown =>
  policy
    ? {
        Rules:
          policy.rules?.map(({ succeededIndexes, succeededCount }) => ({
            SucceededIndexes: succeededIndexes ?? null,
            SucceededCount: succeededCount ?? null,
          })) ?? null,
      }
    : null;
