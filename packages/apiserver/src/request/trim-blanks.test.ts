import { describe, expect, it } from "vitest";
import { trimBlanks } from "./trim-blanks.js";

describe("blanks around a header's value", () => {
  const rows = [
    { name: "blanks and tabs go", text: " \t a b \t", left: "a b" },
    { name: "a non-breaking space stays", text: "\u00a0admins\u00a0", left: "\u00a0admins\u00a0" },
    { name: "other spaces of Unicode stay", text: "\u2003a\ufeff", left: "\u2003a\ufeff" },
    { name: "nothing is left of blanks alone", text: " \t ", left: "" },
  ];
  for (const { name, text, left } of rows) it(name, () => expect(trimBlanks(text)).toBe(left));
});
