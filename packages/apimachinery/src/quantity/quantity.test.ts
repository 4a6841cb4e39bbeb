import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  canonicalQuantity,
  parseQuantity,
  Quantity,
  quantityMilliValue,
  quantityValue,
  readQuantity,
} from "./index.js";

// Made by upstream's own library: `go run . <table>` in tools/answers/vocabulary.
const table = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8")) as T[];

interface Row {
  text: string;
  string?: string;
  format?: string;
  negated?: string;
  error?: string;
}

function answerTo(text: string): Omit<Row, "text"> {
  const read = readQuantity(text);
  if (typeof read === "string") return { error: read };
  return { string: read.toString(), format: read.format, negated: read.neg().toString() };
}

describe("quantities read and write themselves as upstream's do", () => {
  for (const { text, ...answer } of table<Row>("quantities")) {
    it(JSON.stringify(text), () => {
      expect(answerTo(text)).toEqual(answer);
      expect(canonicalQuantity(text)).toBe(answer.string);
    });
  }
});

describe("sums, differences and comparisons", () => {
  for (const [a, b, sum, difference, order] of table<[string, string, string, string, number]>("quantity-sums")) {
    it(`${a} and ${b}`, () => {
      const [left, right] = [parseQuantity(a), parseQuantity(b)];
      expect([left.add(right).toString(), left.sub(right).toString(), Math.sign(left.compare(right))]).toEqual([
        sum,
        difference,
        order,
      ]);
    });
  }
});

describe("whole numbers of a quantity", () => {
  const cases = [
    { text: "250m", value: 1, milli: 250 },
    { text: "-1500m", value: -2, milli: -1500 },
    { text: "2", value: 2, milli: 2000 },
    { text: "1Ki", value: 1024, milli: 1_024_000 },
    { text: "1.5Gi", value: 1_610_612_736, milli: 1_610_612_736_000 },
    { text: "1n", value: 1, milli: 1 },
    { text: "0", value: 0, milli: 0 },
    { text: "100M", value: 100_000_000, milli: 100_000_000_000 },
    { text: "7Ei", value: 8_070_450_532_247_928_832n, milli: 8_070_450_532_247_928_832_000n },
  ];
  for (const { text, value, milli } of cases) {
    it(text, () => {
      expect([parseQuantity(text).value(), parseQuantity(text).milliValue()]).toEqual([value, milli]);
      expect([quantityValue(text), quantityMilliValue(text)]).toEqual([Number(value), Number(milli)]);
    });
  }
  it("an approximate number", () => expect(parseQuantity("1500m").toNumber()).toBe(1.5));
  it("products", () => expect(parseQuantity("1500m").mul(3).toString()).toBe("4500m"));
  it("rounding to a scale", () => expect(parseQuantity("1501u").roundUp(-3).toString()).toBe("2m"));
  it("made of a number", () => expect(Quantity.of(1024 ** 3, "BinarySI").toString()).toBe("1Gi"));
});

describe("hostile exponents", () => {
  const huge = parseQuantity("1e2147483647");
  it("are compared by their place", () => expect(huge.compare(parseQuantity("9E"))).toBeGreaterThan(0));
  it("are added without their zeros", () => expect(huge.add(parseQuantity("1")).toString()).toBe("10e2147483646"));
  it("below a nano are a nano", () => expect(canonicalQuantity("1e-2147483648")).toBe("1e-9"));
  it("end at the largest int64 as whole numbers", () => expect(huge.neg().value()).toBe(-(2n ** 63n) + 1n));
  it("can be written after a sum with a binary amount", () =>
    expect(parseQuantity("1Ki").add(huge).toString()).toBe("10"));
  it("a thousand digits are read", () => expect(canonicalQuantity("1".repeat(1_000))).toHaveLength(1_000));
  it("a million are not: computing with them would take seconds", () =>
    expect(canonicalQuantity("1".repeat(1_000_000))).toBeUndefined());
});
