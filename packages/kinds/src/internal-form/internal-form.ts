import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { Verbatim } from "@coxswain/apimachinery/field";
import { wasGivenEmpty } from "@coxswain/apimachinery/json";
import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { compareUtf8 } from "@coxswain/apimachinery/validation";
import { emptyMap } from "./empty-map.js";
import { internalTypes } from "./gen/internal-types.js";
import { compactJson } from "./go-text.js";

/*
 * Upstream validates internal types, and prints them into some messages: Go's names, Go's order, and every member, whether
 * set or not. This makes the same of an object of v1.
 */

interface Member {
  readonly goName: string;
  readonly jsonName: string;
  readonly code: string;
}

const linked = new Map<string, readonly Member[]>();

function membersOf(type: string): readonly Member[] {
  const known = linked.get(type);
  if (known) return known;
  const text = internalTypes[type];
  if (text === undefined) throw new Error(`there is no internal type ${type}`);
  const members = text.split(", ").map((line) => {
    const [goName = "", jsonName = "", code = ""] = line.split(" ");
    return { goName, jsonName, code };
  });
  linked.set(type, members);
  return members;
}

/** A value of an internal type as Go sees it: quantities are parsed, so that equal amounts are equal. */
export function internalForm(type: string, value: unknown): Record<string, unknown> {
  const source = (value ?? {}) as Record<string, unknown>;
  const form: Record<string, unknown> = {};
  for (const { goName, jsonName, code } of membersOf(type)) {
    if (code === "m") Object.assign(form, source[jsonName]);
    else form[goName] = convert(code, source[jsonName] ?? emptyOf(source, jsonName, code));
  }
  return form;
}

/** A list or map that the client sent empty is not nil. */
function emptyOf(source: Record<string, unknown>, name: string, code: string): unknown {
  if (!wasGivenEmpty(source, name)) return undefined;
  return code.startsWith("[]") ? [] : {};
}

function convert(code: string, value: unknown): unknown {
  if (code.startsWith("*")) return value === undefined || value === null ? null : convert(code.slice(1), value);
  if (code.startsWith("[]")) return Array.isArray(value) ? value.map((item) => convert(code.slice(2), item)) : null;
  if (code.startsWith("{}"))
    return convertMap(code.slice(2), value as Readonly<Record<string, unknown>> | null | undefined);
  switch (code) {
    case "s":
      return value ?? "";
    case "b":
      return value ?? false;
    case "n":
    case "i":
      return value ?? 0;
    case "q":
      return parseQuantity((value as string | undefined) ?? "0");
    case "j":
      return value ?? null;
    default:
      return internalForm(code, value);
  }
}

function convertMap(
  code: string,
  map: Readonly<Record<string, unknown>> | null | undefined,
): Record<string, unknown> | null {
  if (map === undefined || map === null) return null;
  const entries = ownEntries(map).sort(([a], [b]) => compareUtf8(a, b));
  if (entries.length === 0) return emptyMap;
  const form: Record<string, unknown> = {};
  for (const [key, value] of entries) setOwn(form, key, convert(code, value));
  return form;
}

/** For the message of a field error. */
export const internalValue = (type: string, value: unknown): Verbatim =>
  new Verbatim(compactJson(internalForm(type, value)));

export const internalList = (type: string, values: readonly unknown[] | null | undefined): Verbatim =>
  new Verbatim(compactJson(values?.map((value) => internalForm(type, value)) ?? null));

/** What shares the host's namespaces stands in the security context there, which a pod therefore always has. */
export function internalPodSpec(spec: DeepReadonly<PodSpec>): Record<string, unknown> {
  const { hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers, securityContext } = spec;
  return internalForm("PodSpec", {
    ...spec,
    securityContext: { ...securityContext, hostNetwork, hostPID, hostIPC, shareProcessNamespace, hostUsers },
  });
}
