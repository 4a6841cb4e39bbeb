import { describe, expect, it } from "vitest";
import { firstPemBlock } from "./pem.js";

const block = (type: string, content: string): string => `-----BEGIN ${type}-----\n${content}\n-----END ${type}-----\n`;
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

describe("the first PEM block of a text", () => {
  const cases = [
    { name: "alone", pem: block("A", "aGk="), want: "A hi rest=" },
    { name: "behind other text", pem: `notes\n${block("A", "aGk=")}more`, want: "A hi rest=more" },
    { name: "of several", pem: block("A", "aGk=") + block("B", "aG8="), want: `A hi rest=${block("B", "aG8=")}` },
    {
      name: "with lines of another machine",
      pem: block("A", "aG\r\nk=\r").replaceAll("\n", "\r\n"),
      want: "A hi rest=",
    },
    {
      name: "with blanks at the ends of lines",
      pem: "-----BEGIN A----- \t\na G k=\n-----END A-----\t \nx",
      want: "A hi rest=x",
    },
    { name: "with headers", pem: block("A", "Proc-Type: 4\nX: y\n\naGk="), want: "A+ hi rest=" },
    { name: "without content", pem: "-----BEGIN A-----\n-----END A-----\n", want: "A  rest=" },
    { name: "behind a BEGIN without an END", pem: `-----BEGIN B-----\n${block("A", "aGk=")}`, want: "A hi rest=" },
    { name: "behind one that is no base64", pem: block("A", "a") + block("B", "aGk="), want: "B hi rest=" },
    {
      name: "behind one of two types",
      pem: `-----BEGIN A-----\naGk=\n-----END B-----\n${block("C", "aGk=")}`,
      want: "C hi rest=",
    },
    { name: "never in the middle of a line", pem: `x${block("A", "aGk=")}`, want: undefined },
    { name: "nor without an end", pem: "-----BEGIN A-----\naGk=\n", want: undefined },
    { name: "nor with text behind its end", pem: `${block("A", "aGk=").trimEnd()}x`, want: undefined },
    { name: "nor with headers up to its end", pem: "-----BEGIN A-----\nX: y\n-----END A-----\n", want: undefined },
  ];
  for (const { name, pem, want } of cases)
    it(name, () => {
      const found = firstPemBlock(pem);
      const shown = found && `${found.type}${found.hasHeaders ? "+" : ""} ${text(found.bytes)} rest=${found.rest}`;
      expect(shown).toBe(want);
    });

  const size = 1 << 20;
  const hostile = [
    { name: "newlines", pem: `-----BEGIN A-----${"\n".repeat(size)}x\n-----END B-----` },
    { name: "blanks at the end of a line", pem: `-----BEGIN A-----${" \t".repeat(size / 2)}x\n-----END A-----\n` },
    { name: "BEGIN lines", pem: "-----BEGIN A-----\n".repeat(size / 18) },
    { name: "END lines", pem: "\n-----END A-----".repeat(size / 16) },
    { name: "blocks of two types", pem: "-----BEGIN A-----\nA:\n-----END B-----\n".repeat(size / 40) },
    { name: "headers", pem: `-----BEGIN A-----\n${"a:b:c:d\n".repeat(size / 8)}` },
  ];
  for (const { name, pem } of hostile)
    it(`is looked for in linear time: ${name}`, () => expect(firstPemBlock(pem)).toBeUndefined());
});
