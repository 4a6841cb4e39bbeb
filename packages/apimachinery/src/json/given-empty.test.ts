import { describe, expect, it } from "vitest";
import { equalAsGiven, noteGivenEmpty } from "./given-empty.js";

const noted = (object: object): object => {
  noteGivenEmpty(object, ["list"]);
  return object;
};

describe("two pieces of data are the same to Go's reflect.DeepEqual", () => {
  const cases = [
    { name: "a list that was given empty is not one that was not given", a: noted({}), b: {}, same: false },
    { name: "two lists that were given empty are the same", a: noted({}), b: noted({}), same: true },
    {
      name: "a list that was given empty and has its default since",
      a: noted({ list: [1] }),
      b: { list: [1] },
      same: true,
    },
    { name: "the same, inside an object", a: { spec: noted({ list: [1] }) }, b: { spec: { list: [1] } }, same: true },
  ];
  for (const { name, a, b, same } of cases)
    it(name, () => {
      expect(equalAsGiven(a, b)).toBe(same);
      expect(equalAsGiven(b, a)).toBe(same);
    });
});
