import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fieldErrorText, fieldPath } from "../field/index.js";
import { decodeAny, stringifyJson } from "../json/index.js";
import { readValueSchema, validateValue } from "./index.js";

// The errors of apiextensions-apiserver's own validators, recorded by tools/answers/structural-schema.
interface Case {
  schema: unknown;
  values: unknown[];
  answers: { default?: string[]; resource?: string[] }[];
}

const cases = decodeAny(readFileSync(new URL("testdata/values.json", import.meta.url))) as Case[];

describe("values are validated as upstream validates them", () => {
  for (const { schema, values, answers } of cases) {
    it(stringifyJson(schema), () => {
      const found = values.map((value) => ({
        value,
        default: validateValue(value, readValueSchema(schema, "default"), fieldPath("here")).map(fieldErrorText).sort(),
        resource: validateValue(value, readValueSchema(schema, "resource")).map(fieldErrorText).sort(),
      }));
      expect(found).toEqual(
        values.map((value, at) => ({
          value,
          default: answers[at]?.default ?? [],
          resource: answers[at]?.resource ?? [],
        })),
      );
    });
  }
});
