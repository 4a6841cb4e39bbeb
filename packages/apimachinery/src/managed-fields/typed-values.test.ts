import { readFileSync } from "node:fs";
import { runAtOnce } from "@coxswain/runtime/steps";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../patch/json-value.js";
import { atomOf } from "./atom.js";
import { compareObjects } from "./comparison.js";
import type { FieldSet } from "./field-set.js";
import { readFieldsV1 } from "./fields-v1.js";
import { mergeApplied } from "./merge.js";
import { removeItems } from "./remove-items.js";
import { setOfObject } from "./set-of-value.js";
import { type SmdSchema, smdTypes } from "./smd-types.test.support.js";
import { findMismatch } from "./validate-applied.js";

// Every operation on typed values that the tests of sigs.k8s.io/structured-merge-diff v6.3.3 make, with what the library
// answered. Recorded by tools/answers/structured-merge-diff.
interface Case {
  op: "validate" | "set" | "merge" | "compare" | "remove";
  schema: number;
  type: string;
  left: JsonObject;
  right: JsonObject;
  duplicates?: boolean;
  error?: string;
  set?: FieldSet;
  value?: unknown;
  changed?: FieldSet;
  removed?: FieldSet;
  items: FieldSet;
}
const { schemas, cases } = JSON.parse(readFileSync(new URL("testdata/typed.json", import.meta.url), "utf8")) as {
  schemas: SmdSchema[];
  cases: Case[];
};

/** Left out: schemas that are wrong in themselves, and a type that is anything with sets for lists, which we have not. */
const sound = (c: Case): boolean => !c.error?.includes("schema error") && c.type !== "__untyped_separable_";

describe("typed values behave as in structured-merge-diff", () => {
  cases.filter(sound).forEach((c, index) => {
    it(`${index}: ${c.op}`, () => {
      const atom = atomOf(smdTypes(schemas[c.schema] as SmdSchema)(c.type));
      switch (c.op) {
        case "validate":
          expect(
            findMismatch(c.left, atom, { duplicates: c.duplicates ?? false })
              ?.split("\n")
              .sort(),
          ).toEqual(c.error?.split("\n").sort());
          return;
        case "set":
          expect(JSON.stringify(runAtOnce(setOfObject(c.left, atom)))).toBe(JSON.stringify(c.set));
          return;
        case "merge":
          expect(mergeApplied(c.left, c.right, atom)).toEqual(c.value);
          return;
        case "compare":
          expect(JSON.stringify(runAtOnce(compareObjects(c.left, c.right, atom)))).toBe(
            JSON.stringify({ changed: c.changed, removed: c.removed }),
          );
          return;
        case "remove":
          expect(runAtOnce(removeItems(c.left, readFieldsV1(c.items), atom))).toEqual(c.value);
      }
    });
  });
});
