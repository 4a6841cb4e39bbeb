import { describe, expect, it } from "vitest";
import { trimEndOf, trimOf, trimStartOf } from "./trim.js";

const long = 2_000_000;

describe("trimming one character", () => {
  const cases = [
    { name: "both ends are trimmed", trim: trimOf, text: "//a/b//", want: "a/b" },
    { name: "a text of nothing else becomes empty", trim: trimOf, text: "////", want: "" },
    { name: "an empty text stays empty", trim: trimOf, text: "", want: "" },
    { name: "only the end is trimmed", trim: trimEndOf, text: "//a//", want: "//a" },
    { name: "only the beginning is trimmed", trim: trimStartOf, text: "//a//", want: "a//" },
  ];
  for (const { name, trim, text, want } of cases) it(name, () => expect(trim(text, "/")).toBe(want));

  it("a long run inside the text takes linear time", () => {
    const text = `a${"/".repeat(long)}b`;
    expect(trimOf(text, "/")).toBe(text);
  });
});
