import type { DeepReadonly } from "@coxswain/api";
import type { DeviceClaim } from "@coxswain/api/resource/v1";
import { type FieldError, type FieldPath, invalid } from "@coxswain/apimachinery/field";
import { checkDnsLabelAt } from "../../checks/field-errors.js";
import { checkBoundedSet, itself } from "../bounded-list.js";

export const mostRequests = 32;

/** The requests of a claim by name, "request" or "request/subrequest". */
export type RequestNames = ReadonlySet<string>;

export const requestNamesOf = (claim: DeepReadonly<DeviceClaim> | undefined): RequestNames =>
  new Set(
    (claim?.requests ?? []).flatMap(({ name, firstAvailable = [] }) => [
      name,
      ...firstAvailable.map((sub) => `${name}/${sub.name}`),
    ]),
  );

const unknown = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

export function checkRequestReference(name: string, path: FieldPath, known: RequestNames): FieldError[] {
  const parts = name.split("/");
  if (parts.length > 2) return [invalid(path, name, unknown)];
  const errors = parts.flatMap((part) => checkDnsLabelAt(part, path));
  return known.has(name) ? errors : [...errors, invalid(path, name, unknown)];
}

export const checkRequestReferences = (
  names: readonly string[] | undefined,
  path: FieldPath,
  known: RequestNames,
): FieldError[] =>
  checkBoundedSet(names, path, {
    most: mostRequests,
    checkItem: (name, at) => checkRequestReference(name, at, known),
    keyOf: itself,
  });
