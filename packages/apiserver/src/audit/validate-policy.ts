import {
  type FieldError,
  type FieldPath,
  fieldPath,
  invalid,
  notSupported,
  required,
} from "@coxswain/apimachinery/field";
import { checkDnsSubdomain } from "@coxswain/apimachinery/validation";
import { levels, type Stage, stages } from "./audit-event.js";
import type { GroupResources, Policy, PolicyRule } from "./policy.js";

/** What is wrong with a policy, in upstream's words. */
export function validatePolicy({ rules, omitStages = [] }: Policy): FieldError[] {
  return [
    ...checkStages(omitStages, fieldPath("omitStages")),
    ...rules.flatMap((rule, index) => checkRule(rule, fieldPath("rules").index(index))),
  ];
}

function checkRule(rule: PolicyRule, path: FieldPath): FieldError[] {
  const { level, nonResourceURLs = [], resources = [], namespaces = [], omitStages = [] } = rule;
  const urls = path.child("nonResourceURLs");
  return [
    ...checkLevel(level, path.child("level")),
    ...nonResourceURLs.flatMap((url, index) => checkUrl(url, urls.index(index))),
    ...resources.flatMap((named) => checkResources(named, path.child("resources"))),
    ...checkStages(omitStages, path.child("omitStages")),
    ...(nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0)
      ? [invalid(urls, nonResourceURLs, "rules cannot apply to both regular resources and non-resource URLs")]
      : []),
  ];
}

function checkLevel(level: string, path: FieldPath): FieldError[] {
  if (level === "") return [required(path, "")];
  return (levels as readonly string[]).includes(level) ? [] : [notSupported(path, level, levels)];
}

function checkUrl(url: string, path: FieldPath): FieldError[] {
  if (url === "*") return [];
  return [
    ...(url.startsWith("/") ? [] : [invalid(path, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes("*")
      ? [invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

function checkResources(
  { group = "", resources = [], resourceNames = [] }: GroupResources,
  path: FieldPath,
): FieldError[] {
  const problems = group === "" || group === "*" ? [] : checkDnsSubdomain(group);
  return [
    ...(problems.length > 0 ? [invalid(path.child("group"), group, problems.join(","))] : []),
    ...(resourceNames.length > 0 && resources.length === 0
      ? [invalid(path.child("resourceNames"), resourceNames, "using resourceNames requires at least one resource")]
      : []),
  ];
}

const checkStages = (given: readonly Stage[], path: FieldPath): FieldError[] =>
  given.flatMap((stage, index) =>
    (stages as readonly string[]).includes(stage)
      ? []
      : [invalid(path.index(index), stage, `allowed stages are ${stages.join(",")}`)],
  );
