import type { DeepReadonly } from "@coxswain/api";
import type { Counter } from "@coxswain/api/resource/v1";
import { type FieldError, type FieldPath, required, tooMany } from "@coxswain/apimachinery/field";
import { ownKeys } from "@coxswain/apimachinery/own";
import { checkDnsLabelAt } from "../../checks/field-errors.js";

const mostCounters = 32;

export const checkCounterSetName = (name: string, path: FieldPath): readonly FieldError[] =>
  name === "" ? [required(path)] : checkDnsLabelAt(name, path);

/** Any amount will do. */
export function checkCounters(
  counters: DeepReadonly<Record<string, Counter>> | undefined,
  path: FieldPath,
): FieldError[] {
  const names = ownKeys(counters);
  if (names.length === 0) return [required(path)];
  return names.length > mostCounters
    ? [tooMany(path, names.length, mostCounters)]
    : names.flatMap((name) => checkDnsLabelAt(name, path));
}
