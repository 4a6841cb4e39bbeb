import { describe, expect, it } from "vitest";
import { readCsv } from "./read-csv.js";

/** What Go's encoding/csv answers with FieldsPerRecord = -1: records, or its error. */
const cases: [text: string, answer: string[][] | string][] = [
  ["a,b\n", [["a", "b"]]],
  ['a,b,c,"x\n', 'parse error on line 1, column 10: extraneous or missing " in quoted-field'],
  ['a"b,c\n', 'parse error on line 1, column 2: bare " in non-quoted-field'],
  ['"a"b,c\n', 'parse error on line 1, column 3: extraneous or missing " in quoted-field'],
  ['a,"b\nc",d\n\n\ne', [["a", "b\nc", "d"], ["e"]]],
  [
    '"a""b",c\r\nd,e\r\n',
    [
      ['a"b', "c"],
      ["d", "e"],
    ],
  ],
  ['a,"b\nc"x,d', 'record on line 1; parse error on line 2, column 2: extraneous or missing " in quoted-field'],
  ['a,"b', 'parse error on line 1, column 5: extraneous or missing " in quoted-field'],
  ["", []],
  ["a,,", [["a", "", ""]]],
  ['"",""', [["", ""]]],
  [' "a",b', 'parse error on line 1, column 2: bare " in non-quoted-field'],
  ['a, "b"\n', 'parse error on line 1, column 4: bare " in non-quoted-field'],
];

describe("records of comma-separated fields", () => {
  for (const [text, answer] of cases) {
    it(JSON.stringify(text), () => {
      if (typeof answer === "string") expect(() => readCsv(text)).toThrow(new Error(answer));
      else expect(readCsv(text)).toEqual(answer);
    });
  }
});
