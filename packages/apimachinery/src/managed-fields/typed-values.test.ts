import { readFileSync } from "node:fs";
import { runAtOnce } from "@coxswain/runtime/steps";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../patch/json-value.js";
import { atomOf } from "./atom.js";
import { compareObjects as compareInSteps } from "./comparison.js";
import type { FieldSet } from "./field-set.js";
import { compareObjects } from "./gen/comparison.js";
import { readFieldsV1 } from "./gen/fields-v1.js";
import { mergeApplied } from "./gen/merge.js";
import { removeItems } from "./gen/remove-items.js";
import { setOfObject } from "./gen/set-of-value.js";
import { findMismatch } from "./gen/validate-applied.js";
import { mergeAppliedInSteps } from "./merge.js";
import { removeItems as removeInSteps } from "./remove-items.js";
import { setOfObject as setOfObjectInSteps } from "./set-of-value.js";
import { type SmdSchema, smdTypes } from "./smd-types.test.support.js";
import { findMismatchInSteps } from "./validate-applied.js";

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

const atOnce = { findMismatch, setOfObject, mergeApplied, compareObjects, removeItems };
const inSteps: typeof atOnce = {
  findMismatch: (...given) => runAtOnce(findMismatchInSteps(...given)),
  setOfObject: (...given) => runAtOnce(setOfObjectInSteps(...given)),
  mergeApplied: (...given) => runAtOnce(mergeAppliedInSteps(...given)),
  compareObjects: (...given) => runAtOnce(compareInSteps(...given)),
  removeItems: (...given) => runAtOnce(removeInSteps(...given)),
};

describe.each([
  { form: "at once", engine: atOnce },
  { form: "in steps", engine: inSteps },
])("typed values behave $form as in structured-merge-diff", ({ engine }) => {
  cases.filter(sound).forEach((c, index) => {
    it(`${index}: ${c.op}`, () => {
      const atom = atomOf(smdTypes(schemas[c.schema] as SmdSchema)(c.type));
      switch (c.op) {
        case "validate":
          expect(
            engine
              .findMismatch(c.left, atom, { duplicates: c.duplicates ?? false })
              ?.split("\n")
              .sort(),
          ).toEqual(c.error?.split("\n").sort());
          return;
        case "set":
          expect(JSON.stringify(engine.setOfObject(c.left, atom))).toBe(JSON.stringify(c.set));
          return;
        case "merge":
          expect(engine.mergeApplied(c.left, c.right, atom)).toEqual(c.value);
          return;
        case "compare":
          expect(JSON.stringify(engine.compareObjects(c.left, c.right, atom))).toBe(
            JSON.stringify({ changed: c.changed, removed: c.removed }),
          );
          return;
        case "remove":
          expect(engine.removeItems(c.left, readFieldsV1(c.items), atom)).toEqual(c.value);
      }
    });
  });
});
