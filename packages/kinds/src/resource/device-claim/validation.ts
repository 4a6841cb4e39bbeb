import type { DeepReadonly } from "@coxswain/api";
import type { DeviceConstraint, DeviceRequest, ExactDeviceRequest, ResourceClaimSpec } from "@coxswain/api/resource/v1";
import { type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { checkDnsLabelAt, checkOneOf } from "../../checks/field-errors.js";
import type { StrategyContext } from "../../definition/strategy.js";
import { checkBoundedList, checkBoundedSet } from "../bounded-list.js";
import { checkDeviceClassName, checkFullyQualifiedName } from "../names.js";
import { checkToleration } from "../taints.js";
import { checkConfiguration, mostConfigurations } from "./configuration.js";
import { checkRequestReferences, mostRequests, type RequestNames, requestNamesOf } from "./request-names.js";
import { type CheckSelectorsOptions, checkSelectors } from "./selectors.js";

const mostConstraints = 32;
const mostAlternatives = 8;

/** The spec of a claim, as claims and their templates have it. */
export function checkClaimSpec(
  { devices = {} }: DeepReadonly<ResourceClaimSpec>,
  path: FieldPath,
  options: CheckSelectorsOptions,
): FieldError[] {
  const names = requestNamesOf(devices);
  const here = path.child("devices");
  return [
    ...checkBoundedSet(devices.requests, here.child("requests"), {
      most: mostRequests,
      checkItem: (request, at) => checkRequest(request, at, options),
      keyOf: ({ name }) => name,
    }),
    ...checkBoundedList(devices.constraints, mostConstraints, here.child("constraints"), (constraint, at) =>
      checkConstraint(constraint, at, names, options.context),
    ),
    ...checkBoundedList(devices.config, mostConfigurations, here.child("config"), (config, at) => [
      ...checkRequestReferences(config.requests, at.child("requests"), names),
      ...checkConfiguration(config, at),
    ]),
  ];
}

function checkRequest(
  { name, exactly, firstAvailable = [] }: DeepReadonly<DeviceRequest>,
  path: FieldPath,
  options: CheckSelectorsOptions,
): FieldError[] {
  const errors = [...checkDnsLabelAt(name, path.child("name"))];
  const wanted = "exactly one of `exactly` or `firstAvailable` is required";
  if (exactly && firstAvailable.length > 0)
    return [...errors, invalid(path, null, `${wanted}, but multiple fields are set`)];
  if (exactly) return [...errors, ...checkExactRequest(exactly, path.child("exactly"), options)];
  if (firstAvailable.length === 0) return [...errors, required(path, wanted)];
  const checkItem = (sub: (typeof firstAvailable)[number], at: FieldPath): FieldError[] => [
    ...checkDnsLabelAt(sub.name, at.child("name")),
    ...checkExactRequest(sub, at, options),
  ];
  return [
    ...errors,
    ...checkBoundedSet(firstAvailable, path.child("firstAvailable"), {
      most: mostAlternatives,
      checkItem,
      keyOf: (sub) => sub.name,
    }),
  ];
}

type Wanted = Omit<DeepReadonly<ExactDeviceRequest>, "adminAccess">;

function checkExactRequest(
  { deviceClassName, selectors, allocationMode, count = 0, tolerations = [] }: Wanted,
  path: FieldPath,
  options: CheckSelectorsOptions,
): FieldError[] {
  return [
    ...checkDeviceClassName(deviceClassName, path.child("deviceClassName")),
    ...checkSelectors(selectors, path.child("selectors"), options),
    ...checkCount(allocationMode, count, path),
    ...tolerations.flatMap((toleration, at) => checkToleration(toleration, path.child("tolerations").index(at))),
  ];
}

function checkCount(mode: string | undefined, count: number, path: FieldPath): readonly FieldError[] {
  if (mode === "All")
    return count === 0
      ? []
      : [invalid(path.child("count"), count, "must not be specified when allocationMode is 'All'")];
  if (mode === "ExactCount") return count > 0 ? [] : [invalid(path.child("count"), count, "must be greater than zero")];
  return checkOneOf(mode, ["All", "ExactCount"], path.child("allocationMode"));
}

function checkConstraint(
  { requests, matchAttribute, distinctAttribute }: DeepReadonly<DeviceConstraint>,
  path: FieldPath,
  names: RequestNames,
  { gates }: StrategyContext,
): FieldError[] {
  const errors = checkRequestReferences(requests, path.child("requests"), names);
  if (matchAttribute !== undefined)
    return [...errors, ...checkFullyQualifiedName(matchAttribute, path.child("matchAttribute"))];
  if (distinctAttribute !== undefined)
    return [...errors, ...checkFullyQualifiedName(distinctAttribute, path.child("distinctAttribute"))];
  // Upstream's message where neither is set.
  const missing = gates.enabled("DRAConsumableCapacity")
    ? required(path, 'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set')
    : required(path.child("matchAttribute"));
  return [...errors, missing];
}
