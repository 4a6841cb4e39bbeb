import type { DeepReadonly } from "@coxswain/api";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { asGiven } from "@coxswain/apimachinery/json";
import { immutableMessage, parseCidr, validateCidr } from "@coxswain/apimachinery/validation";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { StoredServiceCidr } from "./stored.js";

type Range = DeepReadonly<StoredServiceCidr>;

const path = fieldPath("spec", "cidrs");

export const checkServiceCidr = ({ metadata, spec }: Range): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: false }),
  ...checkRanges(spec.cidrs ?? []),
];

/** At most one range of each family. */
function checkRanges(ranges: readonly string[]): FieldError[] {
  if (ranges.length === 0) return [required(path, "at least one CIDR required")];
  if (ranges.length > 2) return [invalid(path, { CIDRs: ranges }, "may only hold up to 2 values")];
  const errors = ranges.flatMap((range, at) => validateCidr(range, path.index(at)));
  const [one, other] = ranges.map((range) => parseCidr(range)?.address);
  if (one && other && one.isV4 === other.isV4)
    errors.push(
      invalid(path, ranges, "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64"),
    );
  return errors;
}

/** A second range may be added; nothing else changes. */
export function checkServiceCidrUpdate(next: Range, old: Range): FieldError[] {
  const [ranges, before] = [next.spec.cidrs ?? [], old.spec.cidrs ?? []];
  const errors = checkObjectMetaUpdate(next.metadata, old.metadata);
  const grows = before.length === 1 && ranges.length === 2;
  if (!grows && before.length !== ranges.length)
    return [...errors, invalid(path, asGiven(next.spec, "cidrs", []), immutableMessage)];
  append(
    errors,
    before.flatMap((range, at) =>
      range === ranges[at] ? [] : [invalid(path.index(at), ranges[at], immutableMessage)],
    ),
  );
  return grows ? [...errors, ...checkRanges(ranges)] : errors;
}

export const checkServiceCidrStatus = (next: Range, old: Range): FieldError[] =>
  checkObjectMetaUpdate(next.metadata, old.metadata);
