import type { DeepReadonly } from "@coxswain/api";
import type { ResourceClaim, ResourceRequirements } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notFound,
  required,
} from "@coxswain/apimachinery/field";
import { getOwn, ownEntries, ownKeys } from "@coxswain/apimachinery/own";
import { parseQuantity, type Quantity } from "@coxswain/apimachinery/quantity";
import { checkDnsLabelAt } from "../../checks/field-errors.js";
import type { PodRules } from "../pod-rules.js";
import {
  checkContainerResourceName,
  checkPodResourceName,
  isHugePages,
  isInteger,
  isWholePages,
  mayOvercommit,
} from "./resource-names.js";

type Requirements = DeepReadonly<ResourceRequirements>;

export interface ResourceFacts {
  readonly rules: Pick<PodRules, "indivisibleHugePages">;
  readonly claimNames: ReadonlySet<string>;
}

type NameCheck = (name: string, path: FieldPath) => FieldError[];

export const checkContainerResources = (
  requirements: Requirements,
  path: FieldPath,
  facts: ResourceFacts,
): FieldError[] => checkRequirements(requirements, path, { checkName: checkContainerResourceName, ...facts });

export const checkPodResources = (requirements: Requirements, path: FieldPath, facts: ResourceFacts): FieldError[] =>
  checkRequirements(requirements, path, { checkName: checkPodResourceName, ...facts });

function checkRequirements(
  { limits, requests, claims = [] }: Requirements,
  path: FieldPath,
  facts: ResourceFacts & { checkName: NameCheck },
): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, text] of ownEntries(limits))
    append(errors, checkAmount(name, parseQuantity(text), path.child("limits"), facts));
  for (const [name, text] of ownEntries(requests)) {
    const quantity = parseQuantity(text);
    const pages: FieldError[] = [];
    append(errors, checkAmount(name, quantity, path.child("requests"), facts, pages));
    append(errors, [...checkAgainstLimit(name, quantity, getOwn(limits, name), path), ...pages]);
  }
  const names = [...ownKeys(limits), ...ownKeys(requests)];
  if (names.some(isHugePages) && !names.includes("cpu") && !names.includes("memory"))
    errors.push(forbidden(path, "HugePages require cpu or memory"));
  if (claims.length > 0) append(errors, checkClaims(claims, path.child("claims"), facts.claimNames));
  return errors;
}

/** `pages` takes the error of huge pages where it comes later than the others. */
function checkAmount(
  name: string,
  quantity: Quantity,
  list: FieldPath,
  { rules, checkName }: ResourceFacts & { checkName: NameCheck },
  pages?: FieldError[],
): FieldError[] {
  const path = list.key(name);
  const errors = [...checkName(name, path), ...checkQuantity(name, quantity, path)];
  if (isHugePages(name) && !rules.indivisibleHugePages && !isWholePages(name, quantity)) {
    (pages ?? errors).push(
      invalid(path, quantity.toString(), `${quantity} is not positive integer multiple of ${name}`),
    );
  }
  return errors;
}

export function checkQuantity(name: string, quantity: Quantity, path: FieldPath): FieldError[] {
  const errors = quantity.sign < 0 ? [invalid(path, quantity.toString(), "must be greater than or equal to 0")] : [];
  if (isInteger(name) && BigInt(quantity.milliValue()) % 1000n !== 0n)
    errors.push(invalid(path, quantity.toString(), "must be an integer"));
  return errors;
}

function checkAgainstLimit(
  name: string,
  request: Quantity,
  limitText: string | undefined,
  path: FieldPath,
): FieldError[] {
  const overcommits = mayOvercommit(name);
  if (limitText === undefined)
    return overcommits ? [] : [required(path.child("limits"), "Limit must be set for non overcommitable resources")];
  const compared = request.compare(parseQuantity(limitText));
  if (compared !== 0 && !overcommits)
    return [invalid(path.child("requests"), request.toString(), `must be equal to ${name} limit of ${limitText}`)];
  return compared > 0
    ? [
        invalid(
          path.child("requests"),
          request.toString(),
          `must be less than or equal to ${name} limit of ${limitText}`,
        ),
      ]
    : [];
}

/** A claim is named whole, or request by request, not both. */
function checkClaims(
  claims: readonly DeepReadonly<ResourceClaim>[],
  path: FieldPath,
  known: ReadonlySet<string>,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { name, request = "" }] of claims.entries()) {
    const at = path.index(i);
    if (name === "") {
      errors.push(required(at));
      continue;
    }
    if (seen.has(name)) errors.push(duplicate(at, name));
    else {
      const key = request === "" ? name : `${name}/${request}`;
      if (request !== "") append(errors, checkDnsLabelAt(request, at.child("request")));
      if (seen.has(key)) errors.push(duplicate(at, key));
      else if (request === "")
        for (const other of seen) if (other.startsWith(`${name}/`)) errors.push(duplicate(at, name));
      seen.add(key);
    }
    if (!known.has(name)) {
      const others = known.size === 0 ? " which is empty" : `: ${[...known].sort().join(", ")}`;
      errors.push({ ...notFound(at, name), detail: `must be one of the names in pod.spec.resourceClaims${others}` });
    }
  }
  return errors;
}
