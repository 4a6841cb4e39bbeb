import type { DeepReadonly } from "@coxswain/api";
import type { ResourceQuota } from "@coxswain/api/core/v1";
import {
  type Amounts,
  addTo,
  increase,
  only,
  printAmounts,
  printNames,
  readAmounts,
  scopesOf,
  withoutZeros,
} from "@coxswain/api/quota";
import type { KubernetesObject, ObjectMeta } from "@coxswain/apimachinery/meta";
import { ownKeys } from "@coxswain/apimachinery/own";
import { StatusError } from "@coxswain/apimachinery/status";
import type { AdmissionAttributes } from "../admission.js";
import { forbid } from "../forbid.js";
import type { LimitedResource } from "./configuration.js";
import type { QuotaEvaluator } from "./evaluator.js";

export type Quota = DeepReadonly<ResourceQuota> & { readonly metadata: Readonly<ObjectMeta> };

/** A quota and how much of it is used, counting what was let through since. */
export interface RunningQuota {
  readonly quota: Quota;
  readonly used: Amounts;
}

/** The quotas as they are once the request has gone through. Throws when it may not. */
export function checkRequest(
  quotas: readonly RunningQuota[],
  attributes: AdmissionAttributes,
  evaluator: QuotaEvaluator,
  limited: readonly LimitedResource[],
): readonly RunningQuota[] {
  const object = attributes.object as KubernetesObject;
  const matching = quotas.filter(({ quota }) => matches(quota, object, evaluator));
  const restricted = new Set<string>();
  for (const running of matching)
    for (const name of restrictedResources(attributes, running, evaluator)) restricted.add(name);

  const usage = evaluator.usage(object);
  const negative = [...usage].filter(([, quantity]) => quantity.sign < 0).map(([name]) => name);
  if (negative.length > 0) throw forbid(attributes, `quota usage is negative for resource(s): ${printNames(negative)}`);
  const deltas = new Map(matching.map((running) => [running, deltaOf(running.quota, attributes, usage, evaluator)]));
  const isFree =
    matching.length > 0
      ? [...deltas.values()].every(({ size }) => size === 0)
      : growth(attributes, usage, evaluator).size === 0;
  if (isFree) return quotas;

  const { group, resource } = attributes.kind;
  const uncovered = limitedNames(
    usage,
    limited.filter((each) => each.apiGroup === group && each.resource === resource),
  ).filter((name) => !restricted.has(name));
  if (uncovered.length > 0)
    throw forbid(attributes, `insufficient quota to consume: ${printNames(new Set(uncovered))}`);
  checkScopes(quotas, object, evaluator, limited);
  return quotas.map((running) => {
    const delta = deltas.get(running);
    return delta && delta.size > 0 ? charge(attributes, running, delta) : running;
  });
}

const matches = (quota: Quota, object: KubernetesObject, { counts, isInScope }: QuotaEvaluator): boolean =>
  ownKeys(quota.status?.hard).some(counts) && scopesOf(quota).every((scope) => isInScope?.(scope, object) ?? false);

/** Those of the quota that the object uses. Refuses an object without a required amount, and every object until the quota's usage has been counted. */
function restrictedResources(
  attributes: AdmissionAttributes,
  { quota, used }: RunningQuota,
  evaluator: QuotaEvaluator,
): ReadonlySet<string> {
  const restricted = new Set(ownKeys(quota.status?.hard).filter((name) => evaluator.counts(name)));
  const name = quota.metadata.name ?? "";
  const problem = evaluator.problem?.(restricted, attributes.object as KubernetesObject);
  if (problem !== undefined) throw forbid(attributes, `failed quota: ${name}: ${problem}`);
  if ([...restricted].some((resource) => !used.has(resource)))
    throw forbid(attributes, `status unknown for quota: ${name}, resources: ${printNames(restricted)}`);
  return restricted;
}

/** An update costs what it adds, and all of it when the object was not under this quota before. */
function deltaOf(quota: Quota, attributes: AdmissionAttributes, usage: Amounts, evaluator: QuotaEvaluator): Amounts {
  const { old } = attributes;
  return old && !matches(quota, old, evaluator) ? withoutZeros(usage) : growth(attributes, usage, evaluator);
}

const growth = ({ old }: AdmissionAttributes, usage: Amounts, evaluator: QuotaEvaluator): Amounts =>
  withoutZeros(old ? increase(usage, evaluator.usage(old)) : usage);

const limitedNames = (usage: Amounts, limited: readonly LimitedResource[]): string[] =>
  limited.flatMap(({ matchContains }) =>
    [...usage]
      .filter(([name, quantity]) => quantity.sign > 0 && matchContains.some((part) => name.includes(part)))
      .map(([name]) => name),
  );

function checkScopes(
  quotas: readonly RunningQuota[],
  object: KubernetesObject,
  { isInScope }: QuotaEvaluator,
  limited: readonly LimitedResource[],
): void {
  if (!isInScope) return;
  const covered = new Set(
    quotas
      .flatMap(({ quota }) => scopesOf(quota).filter((scope) => isInScope(scope, object)))
      .map(({ scopeName }) => scopeName),
  );
  const uncovered = limited.flatMap(({ matchScopes }) =>
    matchScopes.filter((scope) => isInScope(scope, object) && !covered.has(scope.scopeName)),
  );
  if (uncovered.length === 0) return;
  const shown = uncovered
    .map(({ scopeName, operator, values = [] }) => `{${scopeName} ${operator} [${values.join(" ")}]}`)
    .join(" ");
  throw new StatusError({ code: 500, reason: "", message: `insufficient quota to match these scopes: [${shown}]` });
}

function charge(attributes: AdmissionAttributes, { quota, used }: RunningQuota, delta: Amounts): RunningQuota {
  const hard = readAmounts(quota.status?.hard);
  const requested = only(delta, hard);
  const next = addTo(new Map(used), requested);
  const exceeded = new Set(
    [...hard]
      .filter(([name, most]) => requested.has(name) && (next.get(name)?.compare(most) ?? 0) > 0)
      .map(([name]) => name),
  );
  // A write of a status reports what is already used.
  if (exceeded.size > 0 && attributes.subresource !== "status") {
    const show = (amounts: Amounts): string => printAmounts(only(amounts, exceeded));
    throw forbid(
      attributes,
      `exceeded quota: ${quota.metadata.name ?? ""}, requested: ${show(requested)}, used: ${show(used)}, limited: ${show(hard)}`,
    );
  }
  return { quota, used: next };
}
