import { readFileSync } from "node:fs";
import { deepFreeze } from "@coxswain/apimachinery/json";
import { applyServerSide, type ManagedFieldsEntry, updateManagedFields } from "@coxswain/apimachinery/managed-fields";
import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { nodeFromStructuralSchema } from "@coxswain/apimachinery/structural-schema";
import { describe, expect, it } from "vitest";
import { builtInTypes } from "../src/tables/index.js";

// Custom resources with random schemas, created and applied. The answers in testdata/custom-resource-apply.json were
// recorded from k8s.io/apiextensions-apiserver and k8s.io/apimachinery v0.36.4 by tools/answers/custom-resource-apply.

type Json = Record<string, unknown>;
interface Case {
  name: string;
  schema: Json;
  create: Json;
  apply: Json;
  again: Json;
  answer: { object?: Json; error?: string }[];
}
const cases = JSON.parse(
  readFileSync(new URL("testdata/custom-resource-apply.json", import.meta.url), "utf8"),
) as Case[];
const objectMeta = builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta");

function split(object: Json): { object: Json; entries: ManagedFieldsEntry[] } {
  const { managedFields = [], ...metadata } = object["metadata"] as Json;
  return { object: { ...object, metadata }, entries: managedFields as ManagedFieldsEntry[] };
}

const withoutTimes = (entries: readonly ManagedFieldsEntry[]): unknown[] =>
  entries.map((entry) => ({ ...entry, time: undefined }));

function check(
  wanted: Case["answer"][number] | undefined,
  run: () => { object: Json; entries: readonly ManagedFieldsEntry[] },
): void {
  if (!wanted) return;
  if (wanted.error !== undefined) {
    expect(failureOf(run)).toEqual(wanted.error.split("\n").sort());
    return;
  }
  const got = run();
  const { object, entries } = split(wanted.object ?? {});
  expect(withoutTimes(got.entries)).toEqual(entries);
  expect(got.object).toEqual(object);
}

/** Lines in no order: Go finds several faults as its maps happen to lie. */
function failureOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    return (error as Error).message.split("\n").sort();
  }
  return [];
}

describe("custom resources are applied as upstream applies them", () => {
  for (const c of deepFreeze(cases)) {
    it(c.name, () => {
      const node: SchemaNode = nodeFromStructuralSchema(c.schema, {
        group: "e.com",
        version: "v1",
        kind: "X",
        objectMeta,
      });
      const request = { node, apiVersion: "e.com/v1", kind: "X", time: "2024-01-01T00:00:00Z" };
      const [created, applied, again] = c.answer;
      // An object that does not fit its type has no managed fields upstream; validation refuses it right after, and we do not look.
      if (created?.object === undefined) return;
      const uid = { ...c.create, metadata: { ...(c.create["metadata"] as Json), uid: "u" } };
      check(created, () => ({
        object: uid,
        entries: updateManagedFields({ ...request, live: undefined, next: c.create, manager: "creator", entries: [] }),
      }));
      const live = split(created.object);
      check(applied, () =>
        applyServerSide({
          ...request,
          live: live.object,
          entries: live.entries,
          applied: c.apply,
          manager: "applier",
          force: true,
        }),
      );
      if (applied?.object === undefined) return;
      const next = split(applied.object);
      check(again, () =>
        applyServerSide({ ...request, live: next.object, entries: next.entries, applied: c.again, manager: "applier" }),
      );
    });
  }
});
