import { readFileSync } from "node:fs";
import { runAtOnce } from "@coxswain/runtime/steps";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../patch/json-value.js";
import type { SchemaNode } from "../schema/index.js";
import { atomOf } from "./atom.js";
import { excludeFields } from "./field-filter.js";
import type { FieldSet } from "./field-set.js";
import { mergeAndOwn as mergeAndOwnAtOnce } from "./gen/merge-and-own.js";
import { giveChanged as giveChangedAtOnce } from "./gen/update.js";
import type { Versions as VersionsAtOnce } from "./gen/versions.js";
import type { Manager, Managers } from "./managers.js";
import { mergeAndOwn } from "./merge-and-own.js";
import { pathText } from "./path-element.js";
import { pathsOf } from "./paths-of.js";
import { type SmdSchema, smdTypes } from "./smd-types.test.support.js";
import { giveChanged } from "./update.js";
import type { Typed, Versions } from "./versions.js";

// Every update and apply that the tests of sigs.k8s.io/structured-merge-diff v6.3.3 make, with what the library answered.
// Recorded by tools/answers/structured-merge-diff. (Left out: those with filters that are code.)

interface ManagerData {
  version: string;
  applied: boolean;
  fields: FieldSet;
}
interface Case {
  schema: number;
  type: string;
  converter: string;
  op: "update" | "apply";
  version: string;
  manager: string;
  force?: boolean;
  live: JsonObject | null;
  object: JsonObject;
  managers: Record<string, ManagerData>;
  ignored?: Record<string, FieldSet>;
  result?: JsonObject;
  noChange?: boolean;
  after?: Record<string, ManagerData>;
  conflicts?: string[];
}
const { schemas, cases } = JSON.parse(readFileSync(new URL("testdata/smd.json", import.meta.url), "utf8")) as {
  schemas: SmdSchema[];
  cases: Case[];
};

/** The converters of upstream's tests. */
function converterOf(
  name: string,
  typeOf: (version: string) => SchemaNode,
): (from: Typed, to: string) => Typed | undefined {
  const typed = (object: unknown, apiVersion: string): Typed => ({
    object: object as JsonObject,
    apiVersion,
    atom: atomOf(typeOf(apiVersion)),
  });
  if (name === "merge_test.renamingConverter")
    return (from, to) =>
      typed(
        mapKeys(from.object, (key) =>
          key.endsWith(from.apiVersion) ? key.slice(0, -from.apiVersion.length) + to : key,
        ),
        to,
      );
  if (name === "merge_test.repeatingConverter") {
    return (from, to) => {
      const count = Number(to.slice(1));
      if (!Number.isInteger(count)) return undefined;
      const below = (value: unknown): unknown => mapKeys(value, (key) => (key[0] ?? "").repeat(count), true);
      return typed(
        Object.fromEntries(Object.entries(from.object ?? {}).map(([key, value]) => [key, below(value)])),
        to,
      );
    };
  }
  if (name === "merge_test.reliantFieldsConverter") {
    return (from, to) => {
      if (from.apiVersion === to) return from;
      const [before, after] =
        to === "v1" ? ["required_field_bar", "field_foo_rely_on_bar"] : ["field_foo_rely_on_bar", "required_field_bar"];
      return typed(
        mapKeys(from.object, (key) => (key === before ? after : key)),
        to,
      );
    };
  }
  return (from, apiVersion) => ({ ...from, apiVersion });
}

function mapKeys(value: unknown, rename: (key: string) => string, dropScalars = false): unknown {
  if (Array.isArray(value)) return value.map((item) => mapKeys(item, rename, dropScalars));
  if (typeof value !== "object" || value === null) return dropScalars ? null : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [rename(key), mapKeys(member, rename, dropScalars)]),
  );
}

const managersOf = (data: Record<string, ManagerData>): Managers =>
  new Map(
    Object.entries(data).map(([name, { version, applied, fields }]): [string, Manager] => [
      name,
      {
        manager: name,
        operation: applied ? "Apply" : "Update",
        apiVersion: version,
        subresource: "",
        time: undefined,
        set: fields,
        entry: undefined,
      },
    ]),
  );

const summary = (managers: Managers): Record<string, ManagerData> =>
  Object.fromEntries(
    [...managers].map(([name, { apiVersion, operation, set }]) => [
      name,
      { version: apiVersion, applied: operation === "Apply", fields: set },
    ]),
  );

function run(c: Case, isAtOnce: boolean): { result?: unknown; after?: unknown; text?: string; conflicts?: string[] } {
  const types = smdTypes(schemas[c.schema] as SmdSchema);
  const typeOf = (version: string): SchemaNode =>
    types(schemas[c.schema]?.types.some(({ name }) => name === version) ? version : c.type);
  const versions: Versions = {
    own: (object) => ({ object, apiVersion: c.version, atom: atomOf(types(c.type)) }),
    *convert(from, to) {
      yield 0;
      return converterOf(c.converter, typeOf)(from, to);
    },
    filter: (version) => (c.ignored?.[version] ? excludeFields(c.ignored[version]) : undefined),
  };
  const plainVersions: VersionsAtOnce = { ...versions, convert: (from, to) => runAtOnce(versions.convert(from, to)) };
  const [live, object] = [versions.own(c.live ?? {}), versions.own(c.object)];
  const writer = { manager: c.manager, apiVersion: c.version, subresource: "", time: undefined };
  if (c.op === "update") {
    const updater = { ...writer, operation: "Update" } as const;
    const change = { before: live, after: object };
    const after = summary(
      isAtOnce
        ? giveChangedAtOnce(managersOf(c.managers), { ...change, versions: plainVersions }, c.manager, updater)
        : runAtOnce(giveChanged(managersOf(c.managers), { ...change, versions }, c.manager, updater)),
    );
    return { after, text: JSON.stringify(sortNames(after)) };
  }
  const applier = { ...writer, operation: "Apply" } as const;
  const application = { live, applied: object, id: c.manager, applier, force: c.force ?? false };
  const done = isAtOnce
    ? mergeAndOwnAtOnce(managersOf(c.managers), { ...application, versions: plainVersions })
    : runAtOnce(mergeAndOwn(managersOf(c.managers), { ...application, versions }));
  if (done.kind === "conflicts")
    return {
      conflicts: done.conflicts
        .flatMap(({ manager, set }) => [...pathsOf(set)].map((path) => `${manager.manager} ${pathText(path)}`))
        .sort(),
    };
  const after = summary(done.managers);
  return { result: done.typed?.object, after, text: JSON.stringify(sortNames(after)) };
}

const sortNames = (data: object): unknown => Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));

describe.each([
  { form: "at once", isAtOnce: true },
  { form: "in steps", isAtOnce: false },
])("fields merge and change hands $form as in structured-merge-diff", ({ isAtOnce }) => {
  cases.forEach((c, index) => {
    it(`${index}: ${c.manager} does ${c.op}`, () => {
      const { text, ...got } = run(c, isAtOnce);
      const want = c.conflicts
        ? { conflicts: c.conflicts }
        : {
            after: c.after ?? {},
            ...(c.op === "apply" ? { result: c.noChange ? undefined : (c.result ?? null) } : {}),
          };
      expect(got).toEqual(want);
      // To the letter, order included.
      if (c.after) expect(text).toBe(JSON.stringify(sortNames(c.after)));
    });
  });
});
