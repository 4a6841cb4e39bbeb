import { describe, expect, it } from "vitest";
import { escapeName, unescapeName } from "./escaping.js";

describe("names of fields in expressions", () => {
  const rows = [
    { name: "plain", escaped: "plain" },
    { name: "a_b", escaped: "a_b" },
    { name: "a__b", escaped: "a__underscores__b" },
    { name: "a.b", escaped: "a__dot__b" },
    { name: "a-b/c", escaped: "a__dash__b__slash__c" },
    { name: "namespace", escaped: "__namespace__" },
    { name: "namespaces", escaped: "namespaces" },
  ];
  for (const { name, escaped } of rows)
    it(`${name} is ${escaped}, and back`, () => {
      expect(escapeName(name)).toBe(escaped);
      expect(unescapeName(escaped)).toBe(name);
    });

  for (const name of ["", "1a", "a b", "ä", "a$"])
    it(`${JSON.stringify(name)} cannot be reached`, () => expect(escapeName(name)).toBeUndefined());

  for (const escaped of ["a__nope__b", "a__for__"])
    it(`${escaped} is no escape`, () => expect(unescapeName(escaped)).toBeUndefined());
});
