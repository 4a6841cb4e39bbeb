import type { DeepReadonly } from "@coxswain/api";
import type { NodeStatus, Taint } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import {
  duplicate,
  type FieldError,
  type FieldPath,
  fieldPath,
  forbidden,
  internalError,
  invalid,
  namedText,
  notSupported,
  quoteGo,
  required,
} from "@coxswain/apimachinery/field";
import { ownEntries } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import {
  checkLabelValue,
  compareUtf8,
  dnsSubdomainMaxLength,
  parseCidr,
  utf8Length,
  validateCidrForLegacyField,
  validateLabelName,
} from "@coxswain/apimachinery/validation";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkQuantity } from "../../checks/quantity.js";
import { isInteger } from "../../pod-spec/resources/resource-names.js";
import type { StoredNode } from "./stored.js";

type ReadNode = DeepReadonly<StoredNode>;

const metadataPath = fieldPath("metadata");
const rangesPath = fieldPath("spec", "podCIDRs");
const statusPath = fieldPath("status");

export function checkNode(node: ReadNode): FieldError[] {
  const { metadata, spec, status } = node;
  const errors = checkObjectMeta(metadata, { namespaced: false });
  append(errors, [...checkTaints(spec.taints ?? [], metadataPath.child("taints")), ...checkResources(status)]);
  const swap = status.nodeInfo?.swap?.capacity;
  if (swap !== undefined && swap <= 0)
    errors.push(invalid(metadataPath.child("nodeSwapStatus", "capacity"), swap, "must be greater than zero"));
  return [...errors, ...checkDeclaredFeatures(status), ...checkRanges(spec.podCIDRs ?? [])];
}

export function checkNodeUpdate(next: ReadNode, old: ReadNode): FieldError[] {
  const { spec, status } = next;
  const errors = [
    ...checkObjectMetaUpdate(next.metadata, old.metadata),
    ...checkResources(status),
    ...checkDeclaredFeatures(status),
    ...checkAddresses(status),
  ];
  append(errors, checkRangesStay(spec.podCIDRs ?? [], old.spec.podCIDRs ?? []));
  if (old.spec.providerID && old.spec.providerID !== spec.providerID)
    errors.push(
      forbidden(fieldPath("spec", "providerID"), 'node updates may not change providerID except from "" to valid'),
    );
  append(errors, checkTaints(spec.taints ?? [], metadataPath.child("taints")));
  if ((spec.externalID ?? "") !== (old.spec.externalID ?? ""))
    errors.push(forbidden(fieldPath("spec", "externalID"), "may not be updated"));
  return errors;
}

function checkResources({ capacity, allocatable }: DeepReadonly<NodeStatus>): FieldError[] {
  return Object.entries({ capacity, allocatable }).flatMap(([member, amounts]) =>
    ownEntries(amounts).flatMap(([name, text]) => {
      const path = statusPath.child(member, name);
      const amount = parseQuantity(text);
      const whole = !isInteger(name) || BigInt(amount.milliValue()) % 1000n === 0n;
      return [...checkQuantity(amount, path), ...(whole ? [] : [invalid(path, amount, "must be an integer")])];
    }),
  );
}

function checkTaints(taints: readonly DeepReadonly<Taint>[], path: FieldPath): FieldError[] {
  const seen = new Set<string>();
  return taints.flatMap((taint, at) => {
    const { key, value = "", effect } = taint;
    const here = path.index(at);
    const errors = validateLabelName(key, here.child("key"));
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalid(here.child("value"), value, problems.join(";")));
    append(errors, checkEffect(effect, here.child("effect")));
    const pair = JSON.stringify([key, effect]);
    if (seen.has(pair))
      errors.push({ ...duplicate(here, printedTaint(taint)), detail: "taints must be unique by key and effect pair" });
    seen.add(pair);
    return errors;
  });
}

/** As Go prints its own form. */
const printedTaint = ({ key, value = "", effect, timeAdded }: DeepReadonly<Taint>): unknown => ({
  Key: key,
  Value: value,
  Effect: effect,
  TimeAdded: timeAdded ?? null,
});

function checkEffect(effect: string, path: FieldPath): FieldError[] {
  const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];
  if (effect === "") return [required(path)];
  return effects.includes(effect) ? [] : [notSupported(path, namedText(effect), effects)];
}

const featureName = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/;

function featureProblem(name: string): string | undefined {
  if (utf8Length(name) > dnsSubdomainMaxLength) return `must be no more than ${dnsSubdomainMaxLength} characters`;
  if (featureName.test(name)) return undefined;
  return "must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes";
}

function checkDeclaredFeatures({ declaredFeatures = [] }: DeepReadonly<NodeStatus>): FieldError[] {
  const path = statusPath.child("declaredFeatures");
  return declaredFeatures.flatMap((feature, at) => {
    const errors: FieldError[] = [];
    const problem = featureProblem(feature);
    if (problem !== undefined)
      errors.push(invalid(path.index(at), feature, `invalid feature name ${quoteGo(feature)}: ${problem}`));
    const next = declaredFeatures[at + 1];
    if (next === undefined) return errors;
    if (feature === next) errors.push(duplicate(path.index(at + 1), next));
    else if (compareUtf8(feature, next) > 0)
      errors.push(invalid(path.index(at + 1), next, "list must be sorted alphabetically"));
    return errors;
  });
}

function checkAddresses({ addresses = [] }: DeepReadonly<NodeStatus>): FieldError[] {
  const seen = new Set<string>();
  return addresses.flatMap(({ type, address }, at) => {
    const key = JSON.stringify([type, address]);
    const repeated = seen.has(key);
    seen.add(key);
    return repeated ? [duplicate(statusPath.child("addresses").index(at), { Type: type, Address: address })] : [];
  });
}

/** One range of pod addresses per family. */
function checkRanges(ranges: readonly string[]): FieldError[] {
  const errors = ranges.flatMap((range, at) => validateCidrForLegacyField(range, rangesPath.index(at)));
  if (ranges.length < 2) return errors;
  const parsed = ranges.map((range) => parseCidr(range));
  const bad = parsed.findIndex((network) => network === undefined);
  if (bad >= 0)
    errors.push(
      internalError(
        rangesPath,
        `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${bad}]: <nil> (invalid CIDR address: ${ranges[bad]})`,
      ),
    );
  const families = new Set(parsed.map((network) => network?.address.isV4));
  if (bad >= 0 || families.size < 2 || ranges.length > 2)
    errors.push(invalid(rangesPath, ranges, "may specify no more than one CIDR for each IP family"));
  return errors;
}

function checkRangesStay(next: readonly string[], old: readonly string[]): FieldError[] {
  const error = forbidden(rangesPath, 'node updates may not change podCIDR except from "" to valid');
  if (old.length === 0) return [];
  if (old.length !== next.length) return [error];
  return old.flatMap((range, at) => (range === next[at] ? [] : [error]));
}
