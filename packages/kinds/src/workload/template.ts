import type { DeepReadonly } from "@coxswain/api";
import type { PodTemplateSpec } from "@coxswain/api/core/v1";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  namedText,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { asGiven } from "@coxswain/apimachinery/json";
import { labelSelectorFromObject, type Selector, SelectorError } from "@coxswain/apimachinery/selector";
import { validateLabelSelector } from "@coxswain/apimachinery/validation";
import type { StrategyContext } from "../definition/strategy.js";
import type { PodRules } from "../pod-spec/pod-rules.js";
import { podRules } from "../pod-spec/rules.js";

type Template = DeepReadonly<PodTemplateSpec>;
type LabelSelector = Parameters<typeof labelSelectorFromObject>[0];

/** How strictly a workload's template is validated. */
export const templateRules = ({ gates, allowPrivileged }: StrategyContext, old?: Template | undefined): PodRules =>
  podRules({
    gates,
    allowPrivileged,
    isPod: false,
    old: old?.spec && { spec: old.spec, annotations: old.metadata?.annotations },
  });

/** The selector of a workload: it must be there and select something. */
export function checkSelector(selector: LabelSelector, path: FieldPath, ofWhom: string): FieldError[] {
  if (!selector) return [required(path)];
  return [...validateLabelSelector(selector, path), ...checkNotEmpty(selector, path, ofWhom)];
}

export const checkNotEmpty = (selector: NonNullable<LabelSelector>, path: FieldPath, ofWhom: string): FieldError[] =>
  Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0
    ? [invalid(path, selector, `empty selector is invalid for ${ofWhom}`)]
    : [];

/** Undefined where it cannot be read as one. */
export function readSelector(selector: LabelSelector): Selector | undefined {
  try {
    return labelSelectorFromObject(selector);
  } catch (err) {
    if (err instanceof SelectorError) return undefined;
    throw err;
  }
}

/** A workload must select the pods that it makes. */
export const checkSelected = (selector: Selector, { metadata }: Template, path: FieldPath): FieldError[] =>
  selector.matches(metadata?.labels)
    ? []
    : [
        invalid(
          path.child("metadata", "labels"),
          asGiven(metadata, "labels", {}),
          "`selector` does not match template `labels`",
        ),
      ];

/** Pods of a workload that keeps them running start again whatever happens, and have no end. */
export function checkRunsForever({ spec }: Template, path: FieldPath, ofWhom: string): FieldError[] {
  const errors: FieldError[] = [];
  const restartPolicy = spec?.restartPolicy ?? "";
  if (restartPolicy !== "Always")
    errors.push(notSupported(path.child("spec", "restartPolicy"), namedText(restartPolicy), ["Always"]));
  if (spec?.activeDeadlineSeconds !== undefined)
    errors.push(
      forbidden(path.child("spec", "activeDeadlineSeconds"), `activeDeadlineSeconds in ${ofWhom} is not Supported`),
    );
  return errors;
}
