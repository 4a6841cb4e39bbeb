import { describe, expect, it } from "vitest";
import { Roster } from "./roster.js";

const one = (name: string) => ({ name, place: -1 });

describe("a roster", () => {
  const [a, b, c] = [one("a"), one("b"), one("c")];
  const cases = [
    { name: "holds what was added", gone: [], left: "abc" },
    { name: "the last one goes", gone: [c], left: "ab" },
    { name: "the last one takes the place of one that goes", gone: [a], left: "cb" },
    { name: "who was moved is found where it stands", gone: [a, c], left: "b" },
    { name: "all go", gone: [b, a, c], left: "" },
    { name: "who goes twice is gone once", gone: [b, b], left: "ac" },
    { name: "who was never there is not missed", gone: [one("d")], left: "abc" },
  ];
  for (const { name, gone, left } of cases)
    it(name, () => {
      const roster = new Roster<typeof a>();
      for (const each of [a, b, c]) roster.add(each);
      for (const each of gone) roster.delete(each);
      expect({ left: [...roster].map((each) => each.name).join(""), size: roster.size }).toEqual({
        left,
        size: left.length,
      });
    });
});
