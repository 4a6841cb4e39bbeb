import { describe, expect, it } from "vitest";
import { AnnotationCollector } from "./annotation-collector.js";
import { cutUtf8 } from "./cut-utf8.js";

function published(...added: readonly (readonly [string, string])[]): Record<string, string> {
  const collector = new AnnotationCollector();
  for (const [key, value] of added) collector.add(key, value);
  const noted: Record<string, string> = {};
  collector.publish("p", { warn: () => {}, annotate: (key, value) => void (noted[key] = value) });
  return noted;
}

describe("audit annotations of a policy", () => {
  it("are named after the policy", () => expect(published(["k", "v"])).toEqual({ "p/k": "v" }));
  it("list the different values of several bindings", () =>
    expect(published(["k", "a"], ["k", "b"], ["k", "a"])).toEqual({ "p/k": "a, b" }));
  it("are cut to 10 KiB each", () => expect(published(["k", "x".repeat(20_000)])["p/k"]?.length).toBe(10 * 1024));
});

describe("cutting a text to a number of bytes", () => {
  const rows = [
    { name: "a short one stays", text: "abc", bytes: 9, cut: "abc" },
    { name: "a long one is cut", text: "abcdef", bytes: 4, cut: "abcd" },
    { name: "a character that does not fit whole is left out", text: "aäää", bytes: 4, cut: "aä" },
  ];
  for (const { name, text, bytes, cut } of rows) it(name, () => expect(cutUtf8(text, bytes)).toBe(cut));
});
