import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyMergePatch, createMergePatch, ThreeWayMergeError, threeWayJsonMerge } from "./index.js";
import type { JsonObject } from "./json-value.js";

// The answers in testdata/merge.json were recorded from json-patch.v4 v4.13.0 and k8s.io/apimachinery v0.36.4
// (pkg/util/jsonmergepatch) by tools/answers/patch.
type Answer = { value?: unknown; error?: string } | undefined;
interface Case {
  name: string;
  original: JsonObject;
  patch?: unknown;
  modified?: JsonObject;
  current?: JsonObject;
  answers: { apply?: Answer; twoWay?: Answer; threeWay?: Answer };
}
const { cases } = JSON.parse(readFileSync(new URL("testdata/merge.json", import.meta.url), "utf8")) as {
  cases: Case[];
};

function check(answer: Answer, run: () => unknown): void {
  if (answer?.error !== undefined) expect(run).toThrow(answer.error);
  else if (answer) expect(run()).toEqual(answer.value);
}

const isObjectPatch = ({ patch }: Case): boolean =>
  patch === undefined || (typeof patch === "object" && !Array.isArray(patch));

describe("JSON merge patches answer as upstream does", () => {
  for (const { name, original, patch, modified = {}, current = {}, answers } of cases.filter(isObjectPatch)) {
    it(name, () => {
      check(answers.apply, () => applyMergePatch(original, patch));
      check(answers.twoWay, () => createMergePatch(original, modified));
      check(answers.threeWay, () => threeWayOrConflict({ original, modified, current }));
    });
  }
});

function threeWayOrConflict(three: { original: JsonObject; modified: JsonObject; current: JsonObject }): unknown {
  try {
    return threeWayJsonMerge(three);
  } catch (error) {
    if (error instanceof ThreeWayMergeError) return error.kind;
    throw error;
  }
}

describe("JSON merge patches", () => {
  // The server's strict decoder comes before the library, and refuses these.
  for (const { name, original, patch } of cases.filter((c) => !isObjectPatch(c))) {
    it(`${name} is refused`, () =>
      expect(() => applyMergePatch(original, patch)).toThrow("error decoding patch: json: cannot unmarshal"));
  }
  it("null is no patch", () => expect(() => applyMergePatch({}, null)).toThrow("Invalid JSON Patch"));
  it("what the patch does not name is shared", () => {
    const current = { a: { b: 1 }, c: { d: 1 } };
    expect(applyMergePatch(current, { a: { b: 2 } })["c"]).toBe(current.c);
  });
  it("depth is bounded", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`) as unknown;
    expect(() => applyMergePatch({}, deep)).toThrow("exceeded max depth");
  });
  it("a path that must not change", () =>
    expect(() =>
      threeWayJsonMerge({
        original: {},
        modified: { metadata: { name: "b" } },
        current: { metadata: { name: "a" } },
        unchanged: [["metadata", "name"]],
      }),
    ).toThrow("precondition failed for: map[metadata:map[name:b]]"));
});
