import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  entriesAfterScale,
  entriesOfScale,
  findInvalidEntry,
  keepTimes,
  type ManagedFieldsEntry,
  ownersOf,
  setOf,
  upgradeToServerSideApply,
} from "./index.js";

// The answers in testdata/entries.json were recorded from k8s.io/apimachinery and k8s.io/client-go v0.36.4 by
// tools/answers/managed-entries.
type Entries = ManagedFieldsEntry[] | null;
const { scale, upgrade } = JSON.parse(readFileSync(new URL("testdata/entries.json", import.meta.url), "utf8")) as {
  scale: { name: string; parent: Entries; scale: Entries; toScale: Entries; toParent: Entries }[];
  upgrade: { name: string; entries: Entries; from: string[]; to: string; subresource?: string; answer: Entries }[];
};

const replicas = ["f:spec", "f:replicas"];
const paths = new Map([
  ["apps/v1", replicas],
  ["apps/v1beta1", replicas],
]);

describe("entries and the scale subresource", () => {
  for (const c of scale) {
    it(`${c.name}: to the scale`, () => expect(entriesOfScale(c.parent ?? [], paths)).toEqual(c.toScale ?? []));
    it(`${c.name}: back`, () =>
      expect(entriesAfterScale({ parent: c.parent ?? [], scale: c.scale ?? [], paths, apiVersion: "apps/v1" })).toEqual(
        c.toParent ?? [],
      ));
  }
});

describe("from client-side to server-side apply", () => {
  for (const { name, entries, answer, ...options } of upgrade)
    it(name, () => expect(upgradeToServerSideApply(entries ?? [], options)).toEqual(answer ?? []));
});

const entry = (manager: string, time: string): ManagedFieldsEntry => ({
  manager,
  operation: "Update",
  apiVersion: "v1",
  time,
  fieldsType: "FieldsV1",
  fieldsV1: setOf(["f:spec", "f:a"], ["f:spec", "f:b"]),
});

describe("entries to store", () => {
  const before = [entry("a", "2024-01-01T00:00:00Z")];
  const later = [entry("a", "2024-01-01T00:00:09Z")];
  const rows = [
    { name: "only a time moved: as before", after: later, same: true, want: before },
    { name: "a time moved, and the object changed", after: later, same: false, want: later },
    { name: "another manager", after: [entry("b", "2024-01-01T00:00:09Z")], same: true },
    { name: "one more manager", after: [...later, entry("b", "2024-01-01T00:00:09Z")], same: true },
    { name: "nothing", after: [], same: true },
  ];
  for (const { name, after, same, want = after } of rows)
    it(name, () => expect(keepTimes(before, after, () => same)).toBe(want));
});

describe("owners", () => {
  it("own all of the fields", () =>
    expect(ownersOf([entry("a", "")], "Update", setOf(["f:spec", "f:a"]))).toHaveLength(1));
  it("not only some", () =>
    expect(ownersOf([entry("a", "")], "Update", setOf(["f:spec", "f:a"], ["f:c"]))).toHaveLength(0));
  it("by another operation are none", () =>
    expect(ownersOf([entry("a", "")], "Apply", setOf(["f:spec", "f:a"]))).toHaveLength(0));
});

describe("entries that admission spoilt", () => {
  const rows = [
    { name: "no operation", entry: { apiVersion: "v1" }, why: "operation must be `Apply` or `Update`" },
    { name: "no version", entry: { operation: "Update" }, why: "apiVersion must not be empty" },
    {
      name: "no type",
      entry: { operation: "Update", apiVersion: "v1" },
      why: "missing fieldsType in managed fields entry 0",
    },
    {
      name: "another type",
      entry: { operation: "Update", apiVersion: "v1", fieldsType: "X" },
      why: 'invalid fieldsType "X" in managed fields entry 0',
    },
  ];
  for (const { name, entry, why } of rows) it(name, () => expect(findInvalidEntry([entry])).toBe(why));
  it("none", () => expect(findInvalidEntry([entry("a", "2024-01-01T00:00:00Z")])).toBeUndefined());
});
