import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type FieldSet, pathsOf, pathText, readFieldsV1 } from "./index.js";

// The answers in testdata/entries.json were recorded from sigs.k8s.io/structured-merge-diff v6.3.3 by
// tools/answers/managed-entries.
const { fields } = JSON.parse(readFileSync(new URL("testdata/entries.json", import.meta.url), "utf8")) as {
  fields: { fields: unknown; answer?: FieldSet; paths?: string[]; failed?: boolean }[];
};

describe("FieldsV1 as anyone may have written it", () => {
  for (const { fields: written, answer, paths = [] } of fields.filter(({ failed }) => !failed)) {
    it(`${JSON.stringify(written)} is read`, () => {
      const set = readFieldsV1(written);
      expect(JSON.stringify(set)).toBe(JSON.stringify(answer));
      expect([...pathsOf(set)].map(pathText).sort()).toEqual(paths.map(sortedMembers).sort());
    });
  }
  for (const { fields: written } of fields.filter(({ failed }) => failed)) {
    it(`${JSON.stringify(written)} is refused`, () => expect(() => readFieldsV1(written)).toThrow(/./));
  }
  it("what is canonical is answered as it is", () => {
    const set = { "f:spec": { "f:a": {}, 'k:{"name":"x"}': { ".": {}, "f:name": {} } } };
    expect(readFieldsV1(set)).toBe(set);
  });
  it("nothing is the empty set", () => expect(readFieldsV1(undefined)).toEqual({}));
  it("10,000 levels are refused", () => {
    const deep = JSON.parse(`${'{"f:a":'.repeat(10_000)}{}${"}".repeat(10_000)}`) as unknown;
    expect(() => readFieldsV1(deep)).toThrow("exceeded max depth");
  });
});

/** Upstream prints an object inside a path as its map happens to lie. */
const sortedMembers = (path: string): string => path.replace("d=1c=2", "c=2d=1");
