import { describe, expect, it } from "vitest";
import { deepFreeze, walk } from "../json/index.js";
import type { JsonObject } from "../patch/json-value.js";
import { createTypeRegistry } from "../schema/index.js";
import {
  applyServerSide,
  type ConvertVersion,
  excludeFields,
  type ManagedFieldsEntry,
  setOf,
  updateManagedFields,
  updateManagedFieldsInSteps,
} from "./index.js";

const types = createTypeRegistry([
  `@test
=Meta
name s 1 o
uid s 2 o
labels {}s 3 o
=Old
kind s 1 o
apiVersion s 2 o
metadata Meta 3 o
spec OldSpec 4 o
=OldSpec
size l 1 o
color *s 2 o
items []s 3
=New
kind s 1 o
apiVersion s 2 o
metadata Meta 3 o
spec NewSpec 4 o
=NewSpec
width l 1 o
color *s 2 o
items []s 3
`,
]);
const node = types.get("test.New");

/** v1 calls the width of v2 its size. Nobody knows v0. */
const convert: ConvertVersion = (object, apiVersion) => {
  const [from, to] = apiVersion === "t/v1" ? ["width", "size"] : ["size", "width"];
  if (apiVersion === "t/v0") return undefined;
  const spec = Object.fromEntries(
    Object.entries(
      (walk(object, types.get(apiVersion === "t/v1" ? "test.New" : "test.Old")) as { spec: object }).spec,
    ).map(([name, value]) => [name === from ? to : name, value as unknown]),
  );
  return { object: { ...object, apiVersion, spec }, node: types.get(apiVersion === "t/v1" ? "test.Old" : "test.New") };
};

const object = (spec: JsonObject, labels?: JsonObject): JsonObject =>
  deepFreeze({
    kind: "T",
    apiVersion: "t/v2",
    metadata: { name: "x", ...(labels ? { labels } : {}) },
    spec: { items: null, ...spec },
  });
const entry = (
  manager: string,
  apiVersion: string,
  fieldsV1: object,
  operation: "Update" | "Apply" = "Update",
): ManagedFieldsEntry =>
  deepFreeze({
    manager,
    operation,
    apiVersion,
    time: "2024-01-01T00:00:00Z",
    fieldsType: "FieldsV1",
    fieldsV1: fieldsV1 as NonNullable<ManagedFieldsEntry["fieldsV1"]>,
  });
const time = "2024-01-01T00:09:00Z";
const spec = (...names: string[]): object => ({ "f:spec": Object.fromEntries(names.map((name) => [`f:${name}`, {}])) });
const summary = (entries: readonly ManagedFieldsEntry[]): string[] =>
  entries.map(
    ({ manager, apiVersion, time: at, fieldsV1 }) =>
      `${manager} ${apiVersion} ${at?.slice(14, 16)} ${JSON.stringify(fieldsV1)}`,
  );

interface Row {
  name: string;
  live?: JsonObject;
  next: JsonObject;
  entries?: ManagedFieldsEntry[];
  want: string[];
}
const rows: Row[] = [
  {
    name: "who creates owns what it sets, but not what Go writes anyway",
    next: object({ width: 1 }),
    want: [`me t/v2 09 ${JSON.stringify(spec("width"))}`],
  },
  {
    name: "who changes a field takes it",
    live: object({ width: 1 }),
    next: object({ width: 2 }),
    entries: [entry("you", "t/v2", spec("color", "width"))],
    want: [`you t/v2 00 ${JSON.stringify(spec("color"))}`, `me t/v2 09 ${JSON.stringify(spec("width"))}`],
  },
  {
    name: "who is left with nothing goes",
    live: object({ width: 1 }),
    next: object({ width: 2 }),
    entries: [entry("you", "t/v2", spec("width"))],
    want: [`me t/v2 09 ${JSON.stringify(spec("width"))}`],
  },
  {
    name: "a field that is removed has no owner, and nobody's time moves",
    live: object({ width: 1, color: "red" }),
    next: object({ width: 1 }),
    entries: [entry("me", "t/v2", spec("color", "width"))],
    want: [`me t/v2 00 ${JSON.stringify(spec("width"))}`],
  },
  {
    name: "fields are taken in the version of their owner",
    live: object({ width: 1, color: "red" }),
    next: object({ width: 2, color: "red" }),
    entries: [entry("old", "t/v1", spec("color", "size"))],
    want: [`old t/v1 00 ${JSON.stringify(spec("color"))}`, `me t/v2 09 ${JSON.stringify(spec("width"))}`],
  },
  {
    name: "owners in a version that nobody knows go",
    live: object({ width: 1 }),
    next: object({ width: 1 }),
    entries: [entry("ancient", "t/v0", spec("size"))],
    want: [],
  },
  {
    name: "an object without managed fields gets none",
    live: object({ width: 1 }),
    next: object({ width: 2 }),
    want: [],
  },
];

describe("managed fields after a write", () => {
  for (const { name, live, next, entries = [], want } of rows) {
    it(name, () =>
      expect(
        summary(updateManagedFields({ live, next, node, convert, apiVersion: "t/v2", manager: "me", time, entries })),
      ).toEqual(want),
    );
  }
  it("a write without a change answers the very same entries", () => {
    const entries = [entry("you", "t/v2", spec("width"))];
    const live = object({ width: 1 });
    expect(
      updateManagedFields({ live, next: { ...live }, node, apiVersion: "t/v2", manager: "me", time, entries }),
    ).toBe(entries);
  });
  it("entries that do not change are the very same", () => {
    const entries = [entry("you", "t/v2", { "f:metadata": { "f:labels": {} } })];
    expect(
      updateManagedFields({
        live: object({ width: 1 }),
        next: object({ width: 2 }),
        node,
        apiVersion: "t/v2",
        manager: "me",
        time,
        entries,
      })[0],
    ).toBe(entries[0]);
  });
  it("fields that are reset are not owned", () => {
    const filters = { "t/v2": excludeFields(setOf(["f:spec"])) };
    expect(
      updateManagedFields({
        live: undefined,
        next: object({ width: 2 }),
        node,
        filters,
        apiVersion: "t/v2",
        manager: "me",
        time,
        entries: [],
      }),
    ).toEqual([]);
  });
});

describe("apply across versions", () => {
  const request = { node, convert, apiVersion: "t/v2", kind: "T", manager: "me", time };
  it("what was applied in another version and is applied no more goes", () => {
    const { object: applied, entries } = applyServerSide({
      ...request,
      live: object({ width: 1, color: "red" }),
      entries: [entry("me", "t/v1", spec("color", "size"), "Apply")],
      applied: { kind: "T", apiVersion: "t/v2", spec: { color: "red" } },
    });
    expect(applied["spec"]).toEqual({ color: "red", items: null });
    expect(summary(entries)).toEqual([`me t/v2 09 ${JSON.stringify(spec("color"))}`]);
  });
  it("it stays if another owns it, in whichever version", () => {
    const { object: applied } = applyServerSide({
      ...request,
      live: object({ width: 1, color: "red" }),
      entries: [entry("me", "t/v1", spec("color", "size"), "Apply"), entry("you", "t/v1", spec("size"))],
      applied: { kind: "T", apiVersion: "t/v2", spec: { color: "red" } },
    });
    expect(applied["spec"]).toEqual({ width: 1, color: "red", items: null });
  });
  it("a conflict is reported in the version of the owner", () =>
    expect(() =>
      applyServerSide({
        ...request,
        live: object({ width: 1 }),
        entries: [entry("you", "t/v1", spec("size"))],
        applied: { kind: "T", apiVersion: "t/v2", spec: { width: 2 } },
      }),
    ).toThrow('Apply failed with 1 conflict: conflict with "you" using t/v1: .spec.size'));
  it("an apply without a change answers the live object", () => {
    const live = object({ width: 1 });
    const entries = [entry("me", "t/v2", spec("width"), "Apply")];
    const result = applyServerSide({
      ...request,
      live,
      entries,
      applied: { kind: "T", apiVersion: "t/v2", spec: { width: 1 } },
    });
    expect(result.object).toBe(live);
    expect(result.entries).toEqual(entries);
  });
});

describe("hostile writes take bounded time", () => {
  const names = Array.from({ length: 100_000 }, (_, index) => `n${index}`);
  it("100,000 labels", () => {
    const labels = Object.fromEntries(names.map((name) => [name, "x"]));
    const [created] = updateManagedFields({
      live: undefined,
      next: object({}, labels),
      node,
      apiVersion: "t/v2",
      manager: "me",
      time,
      entries: [],
    });
    expect(Object.keys(created?.fieldsV1?.["f:metadata"]?.["f:labels"] ?? {})).toHaveLength(100_001);
  });
  it("labels that are named like members of every object", () => {
    const labels = JSON.parse('{"__proto__":"a","constructor":"b","toString":"c"}') as JsonObject;
    const { object: applied, entries } = applyServerSide({
      node,
      apiVersion: "t/v2",
      kind: "T",
      manager: "me",
      time,
      live: undefined,
      entries: [],
      applied: { kind: "T", apiVersion: "t/v2", metadata: { labels } },
    });
    expect(JSON.stringify((applied["metadata"] as JsonObject)["labels"])).toBe(
      '{"__proto__":"a","constructor":"b","toString":"c"}',
    );
    expect(JSON.stringify(entries[0]?.fieldsV1)).toBe(
      '{"f:metadata":{"f:labels":{"f:__proto__":{},"f:constructor":{},"f:toString":{}}}}',
    );
  });
});

describe("huge objects", () => {
  const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, "v"]));
  const huge = { ...object({ width: 1 }), metadata: { name: "a", labels } };
  const write = { live: undefined, next: huge, node, apiVersion: "t/v2", manager: "me", time, entries: [] };

  it("20,000 members are tracked in steps, none of them long", () => {
    const steps = updateManagedFieldsInSteps(write);
    const micros: number[] = [];
    let step = steps.next();
    for (; !step.done; step = steps.next()) micros.push(step.value);
    expect(micros.length).toBeGreaterThan(150);
    expect(Math.max(...micros)).toBeLessThan(500);
    expect(step.value).toEqual(updateManagedFields(write));
  });

  it("entries of 20,000 members in the wrong order, as a client may send them, are read in linear time", () => {
    const fields = Object.fromEntries(
      Object.keys(labels)
        .map((name) => [`f:${name}`, {}])
        .reverse(),
    );
    const sent = { ...entry("other", "t/v2", { "f:metadata": { "f:labels": fields } } as never) };
    const after = updateManagedFields({ ...write, live: huge, requested: [sent] });
    const read = JSON.stringify(after[0]?.fieldsV1);
    expect(read.slice(0, 50)).toBe('{"f:metadata":{"f:labels":{"f:k0":{},"f:k1":{},"f:k10":{}'.slice(0, 50));
  });
});
