import type { DeepReadonly } from "@coxswain/api";
import type { LimitRangeItem } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  invalid,
  namedText,
  required,
} from "@coxswain/apimachinery/field";
import { getOwn, ownKeys } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import { checkLabelKey } from "@coxswain/apimachinery/validation";
import { checkObjectMeta } from "../../checks/object-meta.js";
import {
  checkContainerResourceName,
  checkResourceName,
  mayOvercommit,
} from "../../pod-spec/resources/resource-names.js";
import type { StoredLimitRange } from "./stored.js";

type Limit = DeepReadonly<LimitRangeItem>;

const standardTypes = new Set(["Pod", "Container", "PersistentVolumeClaim"]);
const one = parseQuantity("1");
/** Above this Go counts whole units, where thousandths would overflow. */
const mostForMillis = (1n << 63n) / 1000n;

export function checkLimitRange({ metadata, spec }: DeepReadonly<StoredLimitRange>): FieldError[] {
  const errors = checkObjectMeta(metadata, { namespaced: true });
  const seen = new Set<string>();
  for (const [at, limit] of (spec.limits ?? []).entries()) {
    const path = fieldPath("spec", "limits").index(at);
    append(errors, checkTypeName(limit.type, path.child("type")));
    if (seen.has(limit.type)) errors.push(duplicate(path.child("type"), namedText(limit.type)));
    seen.add(limit.type);
    append(errors, [...checkNames(limit, path), ...namesOf(limit).flatMap((name) => checkAmounts(limit, name, path))]);
  }
  return errors;
}

function checkTypeName(type: string, path: FieldPath): FieldError[] {
  const problems = checkLabelKey(type);
  if (problems.length > 0) return problems.map((problem) => invalid(path, namedText(type), problem));
  return type.includes("/") || standardTypes.has(type)
    ? []
    : [invalid(path, namedText(type), "must be a standard limit type or fully qualified")];
}

function checkNames(limit: Limit, path: FieldPath): FieldError[] {
  const isPod = limit.type === "Pod";
  const checkName = isPod || limit.type === "Container" ? checkContainerResourceName : checkResourceName;
  const of = (member: keyof Limit & string): FieldError[] =>
    ownKeys(limit[member] as Record<string, string> | undefined).flatMap((name) =>
      checkName(name, path.child(member).key(name)),
    );
  const errors = [...of("max"), ...of("min")];
  for (const member of ["default", "defaultRequest"] as const) {
    if (!isPod) append(errors, of(member));
    else if (ownKeys(limit[member]).length > 0)
      errors.push(forbidden(path.child(member), "may not be specified when `type` is 'Pod'"));
  }
  if (
    limit.type === "PersistentVolumeClaim" &&
    getOwn(limit.min, "storage") === undefined &&
    getOwn(limit.max, "storage") === undefined
  ) {
    errors.push(
      required(path.child("limits"), "either minimum or maximum storage value is required, but neither was provided"),
    );
  }
  return [...errors, ...of("maxLimitRequestRatio")];
}

function namesOf(limit: Limit): string[] {
  const lists = [
    limit.max,
    limit.min,
    ...(limit.type === "Pod" ? [] : [limit.default, limit.defaultRequest]),
    limit.maxLimitRequestRatio,
  ];
  return [...new Set(lists.flatMap(ownKeys))];
}

function checkAmounts(limit: Limit, name: string, path: FieldPath): FieldError[] {
  const amount = (list: Readonly<Record<string, string>> | undefined): Quantity | undefined => {
    const text = getOwn(list, name);
    return text === undefined ? undefined : parseQuantity(text);
  };
  const isPod = limit.type === "Pod";
  const [min, max, ratio] = [amount(limit.min), amount(limit.max), amount(limit.maxLimitRequestRatio)];
  const [standard, request] = isPod ? [] : [amount(limit.default), amount(limit.defaultRequest)];
  const errors: FieldError[] = [];
  const check = (wrong: boolean | undefined, member: string, shown: Quantity | undefined, text: string): void => {
    if (wrong) errors.push(invalid(path.child(member).key(name), shown, text));
  };
  const exceeds = (a: Quantity | undefined, b: Quantity | undefined): boolean =>
    a !== undefined && b !== undefined && a.compare(b) > 0;
  check(exceeds(min, max), "min", min, `min value ${min} is greater than max value ${max}`);
  check(
    exceeds(min, request),
    "defaultRequest",
    request,
    `min value ${min} is greater than default request value ${request}`,
  );
  check(
    exceeds(request, max),
    "defaultRequest",
    request,
    `default request value ${request} is greater than max value ${max}`,
  );
  check(
    exceeds(request, standard),
    "defaultRequest",
    request,
    `default request value ${request} is greater than default limit value ${standard}`,
  );
  check(exceeds(min, standard), "default", min, `min value ${min} is greater than default value ${standard}`);
  check(exceeds(standard, max), "default", max, `default value ${standard} is greater than max value ${max}`);
  check(ratio && ratio.compare(one) < 0, "maxLimitRequestRatio", ratio, `ratio ${ratio} is less than 1`);
  if (ratio && min && max) {
    const most = greatestRatio(ratio, min, max);
    check(
      most.ratio > most.limit,
      "maxLimitRequestRatio",
      ratio,
      `ratio ${ratio} is greater than max/min = ${goFixed(most.limit)}`,
    );
  }
  const differ = standard && request && standard.compare(request) !== 0;
  check(
    !mayOvercommit(name) && differ,
    "defaultRequest",
    request,
    `default value ${standard} must equal to defaultRequest value ${request} in ${name}`,
  );
  return errors;
}

function greatestRatio(ratio: Quantity, min: Quantity, max: Quantity): { ratio: number; limit: number } {
  const inMillis = [ratio, min, max].every((quantity) => BigInt(quantity.value()) < mostForMillis);
  const count = (quantity: Quantity): number => Number(inMillis ? quantity.milliValue() : quantity.value());
  return {
    ratio: inMillis ? Number(ratio.milliValue()) / 1000 : Number(ratio.value()),
    limit: count(max) / count(min),
  };
}

/** Go's %f. */
const goFixed = (value: number): string =>
  Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? value.toFixed(6) : value > 0 ? "+Inf" : "-Inf";
