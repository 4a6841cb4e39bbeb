import { readFileSync } from "node:fs";
import { deepFreeze, walk } from "@coxswain/apimachinery/json";
import {
  applyServerSide,
  excludeFields,
  fieldElement,
  type ManagedFieldsEntry,
  setOf,
  updateManagedFields,
} from "@coxswain/apimachinery/managed-fields";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { isStatusError } from "@coxswain/apimachinery/status";
import { describe, expect, it } from "vitest";
import { builtInTypes } from "../src/tables/index.js";

// Writes and applies, with what the field manager of k8s.io/apimachinery v0.36.4 made of them on the types of k8s.io/api.
// The answers in testdata/field-manager.json were recorded by tools/answers/field-manager. Every step starts from the
// object that upstream had then.

type Json = Record<string, unknown>;
interface Step {
  op: "create" | "update" | "merge" | "apply" | "forget";
  manager: string;
  subresource?: string;
  force?: boolean;
  object: Json;
  reset?: string[][];
  answer: {
    object?: Json;
    next?: Json;
    status?: {
      message: string;
      code: number;
      reason: string;
      details?: { causes: { message: string; field: string }[] };
    };
    error?: string;
  };
}
const scenarios = JSON.parse(readFileSync(new URL("testdata/field-manager.json", import.meta.url), "utf8")) as {
  name: string;
  steps: Step[];
}[];

function nodeOf({ apiVersion, kind }: Json): SchemaNode {
  const [group = "", version = ""] = String(apiVersion).includes("/")
    ? String(apiVersion).split("/")
    : ["core", String(apiVersion)];
  return builtInTypes.get(`io.k8s.api.${group.split(".")[0]}.${version}.${String(kind)}`);
}

/** An object as stored: canonical, and its managed fields apart. */
function split(object: Json): { object: Json; entries: ManagedFieldsEntry[]; requested: unknown } {
  const { managedFields, ...metadata } = object["metadata"] as Json;
  return {
    object: walk({ ...object, metadata }, nodeOf(object)) as Json,
    entries: (managedFields ?? []) as ManagedFieldsEntry[],
    requested: managedFields,
  };
}

const timeOf = (index: number): string => `2024-01-01T00:${String(index).padStart(2, "0")}:00Z`;

function run(
  step: Step,
  before: Json | undefined,
  index: number,
): { object: Json; entries: readonly ManagedFieldsEntry[] } {
  const { manager, subresource = "", force = false, reset = [] } = step;
  const { apiVersion, kind } = before ?? step.object;
  const node = nodeOf({ apiVersion, kind });
  const stored = before && split(before);
  const request = {
    live: stored?.object,
    entries: stored?.entries ?? [],
    node,
    apiVersion: String(apiVersion),
    manager,
    subresource,
    time: timeOf(index),
    filters: { [String(apiVersion)]: excludeFields(setOf(...reset.map((path) => path.map(fieldElement)))) },
  };
  deepFreeze(request);
  if (step.op === "apply") {
    const { object, entries } = applyServerSide({ ...request, kind: String(kind), applied: step.object, force });
    return { object: walk(object, node) as Json, entries };
  }
  const { object, requested: written } = split(step.answer.next ?? step.object);
  // Go does not write an empty list, but the client did.
  const requested = step.op === "update" ? split(step.object).requested : written;
  return { object, entries: updateManagedFields({ ...request, next: object, requested }) };
}

describe("managed fields change hands as upstream's do", () => {
  for (const { name, steps } of scenarios) {
    steps.forEach((step, index) => {
      if (step.op === "forget") return;
      const before = steps.slice(0, index).findLast(({ answer }) => answer.object)?.answer.object;
      const { answer } = step;
      it(`${name} (${index}: ${step.manager} ${step.op})`, () => {
        if (answer.object === undefined) {
          expect(failureOf(() => run(step, before, index))).toEqual(wantedFailure(answer));
          return;
        }
        const got = run(step, before, index);
        const wanted = split(answer.object);
        expect(got.entries).toEqual(wanted.entries);
        expect(JSON.stringify(got.entries)).toBe(JSON.stringify(wanted.entries));
        if (step.op === "apply") expect(withoutUid(got.object)).toEqual(withoutUid(wanted.object));
      });
    });
  }
});

/** A deep copy, which leaves behind what the decoder notes of empty lists. */
const withoutUid = (object: Json): Json => ({
  ...structuredClone(object),
  metadata: { ...(structuredClone(object["metadata"]) as Json), uid: undefined },
});

const wantedFailure = ({ status, error }: Step["answer"]): unknown =>
  status
    ? {
        code: status.code,
        reason: status.reason,
        message: status.message,
        details: status.details ? sorted(status.details) : undefined,
      }
    : { code: 500, reason: undefined, message: error, details: undefined };

/** Upstream names the causes of several managers in no order. */
const sorted = (details: object): unknown =>
  JSON.parse(JSON.stringify(details), (key, value: unknown) =>
    key === "causes" ? (value as object[]).map((cause) => JSON.stringify(cause)).sort() : value,
  );

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    if (!isStatusError(error)) throw error;
    const { code, reason, message, details } = error.status;
    return { code, reason, message, details: details ? sorted(details) : undefined };
  }
}
