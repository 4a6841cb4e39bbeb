import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isStatusError } from "../status/index.js";
import { applyJsonPatch, maxJsonPatchOperations, unknownOperationFields } from "./index.js";
import type { JsonObject } from "./json-value.js";

// The answers in testdata/json.json were recorded from gopkg.in/evanphx/json-patch.v4 v4.13.0 by tools/answers/patch.
interface Case {
  name: string;
  original: JsonObject;
  patch: JsonObject[];
  answers: { apply: { value?: unknown; error?: string } };
}
const { cases } = JSON.parse(readFileSync(new URL("testdata/json.json", import.meta.url), "utf8")) as { cases: Case[] };

function statusOf(run: () => unknown): { code: number; message: string | undefined; cause: unknown } {
  try {
    run();
  } catch (error) {
    if (isStatusError(error)) return { code: error.status.code, message: error.status.message, cause: error.cause };
    throw error;
  }
  throw new Error("it did not fail");
}

function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

describe("JSON patches answer as upstream does", () => {
  for (const c of cases) {
    const { original, patch, answers } = deepFreeze(c);
    it(c.name, () => {
      if (answers.apply.error === undefined) expect(applyJsonPatch(original, patch)).toEqual(answers.apply.value);
      else {
        const { code, cause } = statusOf(() => applyJsonPatch(original, patch));
        expect({ code, text: (cause as Error).message }).toEqual({ code: 422, text: answers.apply.error });
      }
    });
  }
});

describe("JSON patches that the decoder refuses", () => {
  const rows = [
    {
      name: "an object",
      patch: {},
      text: "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    },
    {
      name: "a list of texts",
      patch: ["x"],
      text: "error decoding patch: json: cannot unmarshal string into Go value of type handlers.jsonPatchOp",
    },
    {
      name: "a path that is no text",
      patch: [{ op: "add", path: 5 }],
      text: "error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.path of type string",
    },
  ];
  for (const row of rows)
    it(row.name, () =>
      expect(statusOf(() => applyJsonPatch({}, row.patch))).toMatchObject({ code: 400, message: row.text }),
    );
  it("members that no operation has are named for strict validation", () =>
    expect(
      unknownOperationFields([
        { op: "test", path: "" },
        { op: "add", path: "/a", vlaue: 1 },
      ]),
    ).toEqual(['json patch unknown field "[1].vlaue"']));
});

describe("JSON patches share what they do not touch", () => {
  const original = deepFreeze({ a: { b: [{ c: 1 }, { d: 2 }] }, e: { f: 1 } });
  const patched = applyJsonPatch(original, [{ op: "replace", path: "/a/b/0/c", value: 2 }]) as typeof original;
  it("siblings are the same", () => {
    expect(patched.e).toBe(original.e);
    expect(patched.a.b[1]).toBe(original.a.b[1]);
    expect(original.a.b[0]).toEqual({ c: 1 });
  });
});

describe("hostile JSON patches are refused in bounded time", () => {
  it("100,000 operations", () => {
    const patch = Array.from({ length: 100_000 }, () => ({ op: "add", path: "/x", value: 1 }));
    expect(statusOf(() => applyJsonPatch({}, patch))).toMatchObject({
      code: 413,
      message: `Request entity too large: The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got 100000`,
    });
  });
  it("copies into themselves", () => {
    const patch = Array.from({ length: 10_000 }, () => ({ op: "copy", from: "/a", path: "/a/a" }));
    expect(statusOf(() => applyJsonPatch({ a: {} }, patch)).code).toBe(422);
  });
  it("a value nested 100,000 deep", () => {
    const value = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`) as unknown;
    expect(statusOf(() => applyJsonPatch({}, [{ op: "add", path: "/x", value }]))).toMatchObject({
      code: 400,
      message: "exceeded max depth",
    });
  });
  it("10,000 insertions at the head of a huge list", () => {
    const patch = Array.from({ length: 10_000 }, () => ({ op: "add", path: "/l/0", value: 0 }));
    expect(statusOf(() => applyJsonPatch({ l: Array.from({ length: 500_000 }, () => 0) }, patch)).code).toBe(422);
  });
});
