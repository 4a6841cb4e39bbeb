import { describe, expect, it } from "vitest";
import { defineResource } from "../resource/index.js";
import {
  allOf,
  annotationChanged,
  anyOf,
  causeOf,
  causeText,
  generationChanged,
  labelChanged,
  not,
  ownerNames,
  type Predicate,
  resourceVersionChanged,
  type WatchedObject,
} from "./index.js";

type Metadata = NonNullable<WatchedObject["metadata"]>;
const update = (old: Metadata, metadata: Metadata) =>
  ({ type: "update", old: { metadata: old }, object: { metadata } }) as const;

describe("predicates", () => {
  const cases: { name: string; predicate: Predicate; old: Metadata; now: Metadata; passes: boolean }[] = [
    {
      name: "another generation",
      predicate: generationChanged,
      old: { generation: 1 },
      now: { generation: 2 },
      passes: true,
    },
    {
      name: "the same generation",
      predicate: generationChanged,
      old: { generation: 1, labels: { a: "1" } },
      now: { generation: 1 },
      passes: false,
    },
    {
      name: "a resync",
      predicate: resourceVersionChanged,
      old: { resourceVersion: "4" },
      now: { resourceVersion: "4" },
      passes: false,
    },
    {
      name: "another label",
      predicate: labelChanged,
      old: { labels: { a: "1" } },
      now: { labels: { a: "2" } },
      passes: true,
    },
    {
      name: "the same labels",
      predicate: labelChanged,
      old: { labels: { a: "1", b: "2" } },
      now: { labels: { b: "2", a: "1" } },
      passes: false,
    },
    {
      name: "an annotation that goes",
      predicate: annotationChanged,
      old: { annotations: { a: "1" } },
      now: {},
      passes: true,
    },
    {
      name: "either of two",
      predicate: anyOf(generationChanged, labelChanged),
      old: { labels: { a: "1" } },
      now: { labels: { a: "2" } },
      passes: true,
    },
    {
      name: "both of two",
      predicate: allOf(generationChanged, labelChanged),
      old: { labels: { a: "1" } },
      now: { labels: { a: "2" } },
      passes: false,
    },
    {
      name: "not one",
      predicate: not(generationChanged),
      old: { generation: 1 },
      now: { generation: 1 },
      passes: true,
    },
  ];
  for (const { name, predicate, old, now, passes } of cases)
    it(`${name} ${passes ? "passes" : "does not pass"}`, () => expect(predicate(update(old, now))).toBe(passes));
  it("creations and deletions pass", () => {
    expect(generationChanged({ type: "create", object: {}, isInInitialList: true })).toBe(true);
    expect(generationChanged({ type: "delete", object: {}, finalStateUnknown: false })).toBe(true);
  });
});

const facts = { group: "g.example.com", version: "v1", kind: "Owner", resource: "owners" };
describe("owners", () => {
  const reference = (kind: string, apiVersion: string, controller: boolean) => ({
    apiVersion,
    kind,
    name: kind,
    uid: "u",
    controller,
  });
  const object = {
    metadata: {
      namespace: "n",
      ownerReferences: [
        reference("Owner", "g.example.com/v2", true),
        reference("Owner", "other.example.com/v1", true),
        reference("Else", "g.example.com/v1", true),
        { ...reference("Owner", "g.example.com/v1", false), name: "weak" },
      ],
    },
  };
  it("go by group and kind, in any version, and only the controlling one", () =>
    expect(ownerNames(object, defineResource({ ...facts, scope: "Namespaced" }), false)).toEqual([
      { namespace: "n", name: "Owner" },
    ]));
  it("every one where that is asked for; those of the cluster have no namespace", () =>
    expect(ownerNames(object, defineResource({ ...facts, scope: "Cluster" }), true)).toEqual([
      { namespace: "", name: "Owner" },
      { namespace: "", name: "weak" },
    ]));
});

describe("causes", () => {
  const definition = defineResource({ ...facts, scope: "Namespaced" });
  const entry = (manager: string, time: string, ...fields: string[]) => ({
    manager,
    operation: "Update",
    apiVersion: "v1",
    time,
    fieldsV1: Object.fromEntries(fields.map((field) => [`f:${field}`, {}])),
  });
  const object = (resourceVersion: string, ...managedFields: ReturnType<typeof entry>[]) => ({
    metadata: { name: "a", namespace: "n", resourceVersion, managedFields },
  });
  const cases = [
    {
      name: "a manager that takes a field wrote, the one that lost it did not",
      old: object("1", entry("x", "t1", "a", "b")),
      now: object("2", entry("x", "t1", "a"), entry("y", "t1", "b")),
      text: "update owners.v1.g.example.com n/a@2 by y",
    },
    {
      name: "a manager that writes again wrote",
      old: object("1", entry("x", "t1", "a")),
      now: object("2", entry("x", "t2", "a")),
      text: "update owners.v1.g.example.com n/a@2 by x",
    },
    {
      name: "a resync is no write",
      old: object("1", entry("x", "t1", "a")),
      now: object("1", entry("x", "t1", "a")),
      text: "resync owners.v1.g.example.com n/a@1",
    },
  ];
  for (const { name, old, now, text } of cases)
    it(name, () => expect(causeText(causeOf(definition, { type: "update", old, object: now }))).toBe(text));
});
