import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as selectors from "./index.js";

// Made by upstream's own library: `go run . <table>` in tools/answers/vocabulary. The first row holds what is matched against.
const table = <First, Row>(name: string): [First, ...Row[]] =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8")) as [First, ...Row[]];

interface Answer {
  error?: string;
  string?: string;
  empty?: boolean;
  matches?: number[];
  exact?: string;
}

function answerOf<T>(
  parse: () => selectors.Selector | selectors.FieldSelector,
  sets: readonly T[],
  key?: string,
): Answer {
  let selector: selectors.Selector | selectors.FieldSelector;
  try {
    selector = parse();
  } catch (error) {
    expect(error).toBeInstanceOf(selectors.SelectorError);
    return { error: (error as Error).message };
  }
  const exact = key === undefined ? undefined : selector.requiresExactMatch(key);
  return {
    string: selector.toString(),
    empty: selector.empty,
    matches: [...sets.keys()].filter((i) => selector.matches((sets[i] ?? {}) as Record<string, string>)),
    ...(exact === undefined ? {} : { exact }),
  };
}

describe("label selectors", () => {
  interface Row extends Answer {
    text: string;
    object?: selectors.LabelSelector;
    objectError?: string;
  }
  const [{ labels }, ...rows] = table<{ labels: Record<string, string>[] }, Row>("label-selectors");
  for (const { text, object: _object, objectError: _objectError, ...answer } of rows) {
    it(JSON.stringify(text), () =>
      expect(answerOf(() => selectors.parseLabelSelector(text), labels, "x")).toEqual(answer),
    );
  }
  for (const { text, object } of rows.filter((row) => row.object)) {
    it(`${JSON.stringify(text)} as an object`, () => {
      const ours = selectors.labelSelectorObject(text);
      expect(selectors.labelSelectorFromObject(ours).toString()).toBe(
        selectors.labelSelectorFromObject(object).toString(),
      );
    });
  }
  for (const { text, objectError } of rows.filter((row) => row.objectError)) {
    it(`${JSON.stringify(text)} has no form as an object`, () =>
      expect(() => selectors.labelSelectorObject(text)).toThrow(objectError));
  }
  for (const { string = "" } of rows) {
    it(`${JSON.stringify(string)} survives being written and read`, () =>
      expect(selectors.parseLabelSelector(string).toString()).toBe(string));
  }
});

describe("selectors in objects", () => {
  interface Row extends Answer {
    object: selectors.LabelSelector | null;
  }
  const [{ labels }, ...rows] = table<{ labels: Record<string, string>[] }, Row>("label-selector-objects");
  for (const { object, ...answer } of rows) {
    it(JSON.stringify(object), () =>
      expect(answerOf(() => selectors.labelSelectorFromObject(object), labels)).toEqual(answer),
    );
  }
  it("none at all matches nothing, whatever is added", () => {
    const none = selectors.labelSelectorFromObject(undefined);
    expect(none.nothing).toBe(true);
    expect(none.and({ key: "x", operator: "exists", values: [] }).matches({ x: "a" })).toBe(false);
  });
});

describe("field selectors", () => {
  const [{ fields }, ...rows] = table<{ fields: Record<string, string>[] }, Answer & { text: string }>(
    "field-selectors",
  );
  for (const { text, ...answer } of rows) {
    it(JSON.stringify(text), () =>
      expect(answerOf(() => selectors.parseFieldSelector(text), fields, "a")).toEqual(answer),
    );
  }
  it("transform renames and drops", () => {
    const selector = selectors.parseFieldSelector("a=1,b!=2,c=3");
    const renamed = selector.transform(({ field, value }) =>
      field === "b" ? { field: "", value: "" } : { field: `x.${field}`, value },
    );
    expect(renamed.toString()).toBe("x.a=1,x.c=3");
  });
});

describe("labels named as members of every object", () => {
  it("a label that is not there is not found on the prototype", () => {
    expect(selectors.parseLabelSelector("constructor").matches({})).toBe(false);
    expect(selectors.parseLabelSelector("!toString").matches({})).toBe(true);
  });
});

describe("limits of a selector's text", () => {
  const terms = (count: number): string => Array.from({ length: count }, (_, at) => `metadata.name!=b${at}`).join(",");
  const parsers = [
    { name: "label", parse: selectors.parseLabelSelector },
    { name: "field", parse: selectors.parseFieldSelector },
  ];
  for (const { name, parse } of parsers) {
    it(`1,000 requirements of a ${name} selector are fine, and one more is refused`, () => {
      expect(parse(terms(1_000)).requirements).toHaveLength(1_000);
      expect(() => parse(terms(1_001))).toThrow("a selector may have at most 1000 requirements");
    });
    it(`the text of a ${name} selector is refused by its length before it is read`, () =>
      expect(() => parse("(".repeat(3 << 20))).toThrow("a selector may have at most 65536 characters"));
  }
});
