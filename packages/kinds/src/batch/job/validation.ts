import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, invalid, namedText, required } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import { checkDnsLabel, validateLabelSelector } from "@coxswain/apimachinery/validation";
import { checkImmutable } from "../../checks/immutable.js";
import { hasInvalidLabelValue } from "../../checks/label-selector.js";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { checkSelected, readSelector, templateRules } from "../../workload/template.js";
import { printedFailurePolicy, printedSuccessPolicy } from "../job-spec/failure-policy.js";
import { checkJobSpec } from "../job-spec/validation.js";
import { labels } from "./selector.js";
import type { StoredJob } from "./stored.js";
import { checkTemplateStays } from "./template-update.js";

type ReadJob = DeepReadonly<StoredJob>;

const specPath = fieldPath("spec");
const templatePath = specPath.child("template");

export function checkJob(job: ReadJob, old: ReadJob | undefined, context: StrategyContext): FieldError[] {
  const { metadata, spec } = job;
  const { name = "" } = metadata;
  const errors = [
    ...checkObjectMeta(metadata, { namespaced: true }),
    ...checkGeneratedSelector(job, old),
    ...checkSpec(job, old, context),
  ];
  if (spec.completionMode === "Indexed" && (spec.completions ?? 0) > 0) {
    const hostname = `${name}-${(spec.completions ?? 0) - 1}`;
    if (checkDnsLabel(hostname).length > 0)
      errors.push(
        invalid(fieldPath("metadata", "name"), name, `will not able to create pod with invalid DNS label: ${hostname}`),
      );
  }
  return errors;
}

/** Upstream validates the spec twice on update, and so each fault is a cause twice. */
export function checkJobUpdate(next: ReadJob, old: ReadJob, context: StrategyContext): FieldError[] {
  const { spec } = next;
  const same = (member: keyof ReadJob["spec"] & string, shown: unknown): FieldError[] =>
    checkImmutable(spec[member], old.spec[member], specPath.child(member), shown);
  return [
    ...checkJob(next, old, context),
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkSpec(next, old, context),
    ...checkCompletions(next, old),
    ...same("selector", spec.selector ?? null),
    ...checkTemplateStays(next, old, context),
    ...same("completionMode", namedText(spec.completionMode ?? "")),
    ...same("podFailurePolicy", printedFailurePolicy(spec.podFailurePolicy)),
    ...same("backoffLimitPerIndex", spec.backoffLimitPerIndex ?? null),
    ...same("managedBy", spec.managedBy ?? null),
    ...same("successPolicy", printedSuccessPolicy(spec.successPolicy)),
  ];
}

function checkSpec({ spec }: ReadJob, old: ReadJob | undefined, context: StrategyContext): FieldError[] {
  const errors = checkJobSpec(spec, specPath, templateRules(context, old?.spec.template));
  const path = specPath.child("selector");
  append(
    errors,
    spec.selector
      ? validateLabelSelector(spec.selector, path, { allowInvalidValues: hasInvalidLabelValue(old?.spec.selector) })
      : [required(path)],
  );
  const selector = readSelector(spec.selector);
  return selector ? [...errors, ...checkSelected(selector, spec.template, templatePath)] : errors;
}

/** What the server generates nobody may forge: a job could otherwise take another's pods. */
function checkGeneratedSelector(job: ReadJob, old: ReadJob | undefined): FieldError[] {
  const { metadata, spec } = job;
  if (spec.manualSelector || !spec.selector) return [];
  const { name = "", uid = "" } = metadata;
  const before = old?.spec.template.metadata?.labels;
  const isModern =
    !old || (getOwn(before, labels.jobName) !== undefined && getOwn(before, labels.controllerUid) !== undefined);
  const expected: [string, string][] = [
    [labels.legacyControllerUid, uid],
    [labels.legacyJobName, name],
  ];
  if (isModern) expected.push([labels.controllerUid, uid], [labels.jobName, name]);
  const errors = uid === "" ? [required(fieldPath("metadata", "uid"))] : [];
  append(
    errors,
    expected.flatMap(([label, value]) => checkLabel(job, label, value)),
  );
  if (readSelector(spec.selector)?.matches(Object.fromEntries(expected)) === false)
    errors.push(invalid(specPath.child("selector"), spec.selector, "`selector` not auto-generated"));
  return errors;
}

function checkLabel({ spec }: ReadJob, label: string, expected: string): FieldError[] {
  const given = spec.template.metadata?.labels;
  const path = templatePath.child("metadata", "labels").key(label);
  const value = getOwn(given, label);
  if (value === undefined) return [required(path, `must be '${expected}'`)];
  return value === expected ? [] : [invalid(path, given, `must be '${expected}'`)];
}

/** The number of indexes may change together with how many run at once. */
function checkCompletions({ spec }: ReadJob, old: ReadJob): FieldError[] {
  const path = specPath.child("completions");
  if (spec.completionMode !== "Indexed")
    return checkImmutable(spec.completions, old.spec.completions, path, spec.completions ?? null);
  if (
    spec.completions === undefined ||
    equalJson(spec.completions, old.spec.completions) ||
    spec.completions === spec.parallelism
  )
    return [];
  return [invalid(path, spec.completions, "can only be modified in tandem with spec.parallelism")];
}
