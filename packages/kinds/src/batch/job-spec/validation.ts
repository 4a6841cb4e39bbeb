import type { DeepReadonly } from "@coxswain/api";
import type { JobSpec } from "@coxswain/api/batch/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  type FieldError,
  type FieldPath,
  invalid,
  namedText,
  notSupported,
  required,
  tooLong,
} from "@coxswain/apimachinery/field";
import { utf8Length, validateDomainPrefixedPath, validateNonnegative } from "@coxswain/apimachinery/validation";
import { checkOneOf } from "../../checks/field-errors.js";
import type { PodRules } from "../../pod-spec/pod-rules.js";
import { checkPodTemplateSpec } from "../../pod-spec/template-validation.js";
import { checkFailurePolicy, checkSuccessPolicy, printedSuccessPolicy } from "./failure-policy.js";

type Spec = DeepReadonly<JobSpec>;

/** Limits of indexed jobs; those of high completions hold together with a back-off limit per index. */
const most = {
  parallelism: 100_000,
  failedIndexes: 100_000,
  completions: 100_000,
  parallelismOfHigh: 10_000,
  failedIndexesOfHigh: 10_000,
  managedByBytes: 63,
};

/** The spec of a job, in a job or in a cron job; there it has no selector yet. */
export function checkJobSpec(spec: Spec, path: FieldPath, rules: PodRules): FieldError[] {
  const { maxFailedIndexes, backoffLimitPerIndex, managedBy, podFailurePolicy, successPolicy } = spec;
  const errors: FieldError[] = [];
  for (const member of [
    "parallelism",
    "completions",
    "activeDeadlineSeconds",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
  ] as const) {
    append(errors, validateNonnegative(spec[member] ?? 0, path.child(member)));
  }
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined)
    errors.push(required(path.child("backoffLimitPerIndex"), "when maxFailedIndexes is specified"));
  if (managedBy !== undefined) {
    append(errors, validateDomainPrefixedPath(managedBy, path.child("managedBy")));
    if (utf8Length(managedBy) > most.managedByBytes) errors.push(tooLong(path.child("managedBy"), most.managedByBytes));
  }
  append(errors, checkCompletionMode(spec, path));
  if (podFailurePolicy) append(errors, checkFailurePolicy(spec, path.child("podFailurePolicy")));
  if (successPolicy) {
    const at = path.child("successPolicy");
    append(
      errors,
      spec.completionMode === "Indexed"
        ? checkSuccessPolicy(spec, at)
        : [invalid(at, printedSuccessPolicy(successPolicy), "requires indexed completion mode")],
    );
  }
  append(errors, checkReplacementPolicy(spec, path.child("podReplacementPolicy")));
  return [
    ...errors,
    ...checkPodTemplateSpec(spec.template, path.child("template"), rules),
    ...checkRestartPolicy(spec, path.child("template", "spec", "restartPolicy")),
  ];
}

function checkCompletionMode(spec: Spec, path: FieldPath): FieldError[] {
  const { completionMode: mode, backoffLimitPerIndex, maxFailedIndexes } = spec;
  if (mode === "Indexed") return checkIndexed(spec, path);
  const errors: FieldError[] = [];
  if (mode !== undefined && mode !== "NonIndexed")
    errors.push(notSupported(path.child("completionMode"), namedText(mode), ["NonIndexed", "Indexed"]));
  else {
    if (backoffLimitPerIndex !== undefined)
      errors.push(
        invalid(path.child("backoffLimitPerIndex"), backoffLimitPerIndex, "requires indexed completion mode"),
      );
    if (maxFailedIndexes !== undefined)
      errors.push(invalid(path.child("maxFailedIndexes"), maxFailedIndexes, "requires indexed completion mode"));
  }
  return errors;
}

function checkIndexed(
  { completions, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex }: Spec,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const failedPath = path.child("maxFailedIndexes");
  const failed = maxFailedIndexes ?? 0;
  if (completions === undefined) errors.push(required(path.child("completions"), "when completion mode is Indexed"));
  if (parallelism > most.parallelism)
    errors.push(
      invalid(
        path.child("parallelism"),
        parallelism,
        `must be less than or equal to ${most.parallelism} when completion mode is Indexed`,
      ),
    );
  if (completions !== undefined && failed > completions)
    errors.push(invalid(failedPath, failed, "must be less than or equal to completions"));
  if (failed > most.failedIndexes)
    errors.push(invalid(failedPath, failed, `must be less than or equal to ${most.failedIndexes}`));
  if (completions === undefined || completions <= most.completions || backoffLimitPerIndex === undefined) return errors;
  const why = (limit: number): string =>
    `must be less than or equal to ${limit} when completions are above ${most.completions} and used with backoff limit per index`;
  if (maxFailedIndexes === undefined)
    errors.push(required(failedPath, `must be specified when completions is above ${most.completions}`));
  if (parallelism > most.parallelismOfHigh)
    errors.push(invalid(path.child("parallelism"), parallelism, why(most.parallelismOfHigh)));
  if (failed > most.failedIndexesOfHigh) errors.push(invalid(failedPath, failed, why(most.failedIndexesOfHigh)));
  return errors;
}

function checkReplacementPolicy(
  { podReplacementPolicy: policy, podFailurePolicy }: Spec,
  path: FieldPath,
): readonly FieldError[] {
  if (policy === undefined) return [];
  return checkOneOf(policy, podFailurePolicy ? ["Failed"] : ["Failed", "TerminatingOrFailed"], path);
}

/** A pod of a job ends for good one day. */
function checkRestartPolicy({ template, podFailurePolicy }: Spec, path: FieldPath): FieldError[] {
  const policy: string = template.spec?.restartPolicy ?? "";
  if (policy === "" || policy === "Always") return [required(path, 'valid values: "OnFailure", "Never"')];
  if (policy !== "OnFailure" && policy !== "Never")
    return [notSupported(path, namedText(policy), ["OnFailure", "Never"])];
  return podFailurePolicy && policy !== "Never"
    ? [invalid(path, namedText(policy), 'only "Never" is supported when podFailurePolicy is specified')]
    : [];
}
