import { describe, expect, it } from "vitest";
import { warningHeaders } from "./warning-headers.js";

const cases = [
  { name: "none", warnings: [], headers: [] },
  { name: "each once, in order", warnings: ["b", "a", "b"], headers: ['299 - "b"', '299 - "a"'] },
  { name: "quotes are escaped", warnings: ['unknown field "a\\b"'], headers: ['299 - "unknown field \\"a\\\\b\\""'] },
  { name: "control characters are not sent", warnings: ["a\nb", "c"], headers: ['299 - "c"'] },
  { name: "letters beyond ASCII are their bytes", warnings: ["\u00e4"], headers: ['299 - "\u00c3\u00a4"'] },
];

describe("warning headers", () => {
  for (const { name, warnings, headers } of cases) it(name, () => expect(warningHeaders(warnings)).toEqual(headers));
  it("long ones together are cut, and the last ones dropped", () => {
    const headers = warningHeaders(Array.from({ length: 50 }, (_, at) => `${at} ${"x".repeat(300)}`));
    expect(headers).toHaveLength(16);
    expect(headers[0]).toHaveLength('299 - ""'.length + 256);
  });
  it("of hundreds of thousands only those are looked at that are sent", () =>
    expect(warningHeaders(Array.from({ length: 300_000 }, (_, at) => `unknown field "x${at}"`)).length).toBeLessThan(
      300,
    ));
});
