import { expect, it } from "vitest";
import { printable } from "./printable.js";

const cases = [
  { name: "plain text", text: "a → b\n\tc", want: "a → b\n\tc" },
  { name: "an escape sequence", text: "a\u001b[2Jb", want: "a\\u001b[2Jb" },
  { name: "a carriage return", text: "good\rbad", want: "good\\u000dbad" },
  { name: "an eight-bit control sequence", text: "\u009b2J", want: "\\u009b2J" },
  { name: "another direction of the text", text: "a\u202eb", want: "a\\u202eb" },
];
for (const { name, text, want } of cases)
  it(`what is printed cannot change the terminal: ${name}`, () => expect(printable(text)).toBe(want));
