import { describe, expect, it } from "vitest";
import { CriLogParser } from "./cri-log-parser.js";

const time = "2026-01-01T00:00:00.123456789Z";
const parse = (text: string | Buffer, chunkBytes = Number.POSITIVE_INFINITY): string[] => {
  const bytes = Buffer.from(text as string);
  const parser = new CriLogParser();
  const found: string[] = [];
  for (let from = 0; from < bytes.length; from += chunkBytes)
    for (const { stream, content, isPartial } of parser.push(bytes.subarray(from, from + chunkBytes)))
      found.push(`${stream}:${Buffer.from(content).toString("latin1")}${isPartial ? "…" : ""}`);
  return found;
};

describe("the log format of container runtimes", () => {
  const cases = [
    { name: "a line", text: `${time} stdout F hello\n`, found: ["stdout:hello"] },
    { name: "an empty line", text: `${time} stderr F \n`, found: ["stderr:"] },
    {
      name: "a line that goes on",
      text: `${time} stdout P he\n${time} stdout F llo\n`,
      found: ["stdout:he…", "stdout:llo"],
    },
    { name: "more tags", text: `${time} stdout P:x a\n${time} stdout F:y:z b\n`, found: ["stdout:a…", "stdout:b"] },
    { name: "spaces of the content stay", text: `${time} stdout F  a  b \n`, found: ["stdout: a  b "] },
    { name: "an unfinished line has no end", text: `${time} stdout F half`, found: ["stdout:half…"] },
    { name: "another zone", text: "2026-01-01T01:00:00.5+01:00 stdout F a\n", found: ["stdout:a"] },
    {
      name: "what is no line is passed over",
      text: `garbage\n${time} stdin F x\nno time stdout F y\n${time} stdout F z\n`,
      found: ["stdout:z"],
    },
    {
      name: "a long line without spaces is passed over",
      text: `${"x".repeat(1000)}\n${time} stdout F z\n`,
      found: ["stdout:z"],
    },
    {
      name: "bytes that are no text",
      text: Buffer.from(`${time} stdout F \xff\x00\xfe\n`, "latin1"),
      found: ["stdout:\xff\x00\xfe"],
    },
  ];
  for (const { name, text, found } of cases) it(name, () => expect(parse(text)).toEqual(found));
  for (const { name, text, found } of cases)
    it(`${name}, byte by byte`, () => expect(joined(parse(text, 1))).toBe(joined(found)));

  it("keeps the time as it was written", () => {
    const [line] = new CriLogParser().push(Buffer.from(`${time} stdout F a\n`));
    expect(line).toMatchObject({ time, at: Date.UTC(2026, 0, 1, 0, 0, 0, 123) });
  });

  it("hands a line of any length on in parts", () => {
    const parser = new CriLogParser();
    let [bytes, longest, ends] = [0, 0, 0];
    const take = (chunk: Buffer): void => {
      for (const { content, isPartial } of parser.push(chunk)) {
        bytes += content.length;
        longest = Math.max(longest, content.length);
        ends += isPartial ? 0 : 1;
      }
    };
    take(Buffer.from(`${time} stdout F `));
    for (let i = 0; i < 100; i++) take(Buffer.alloc(100_000, "x"));
    take(Buffer.from("\n"));
    expect({ bytes, ends }).toEqual({ bytes: 10_000_000, ends: 1 });
    expect(longest).toBeLessThanOrEqual(64 * 1024);
  });
});

/** Parts of a line may be cut anywhere. */
const joined = (lines: readonly string[]): string =>
  lines.reduce(
    (all, line) => (all.endsWith("…") ? all.slice(0, -1) + line.slice(line.indexOf(":") + 1) : `${all}\n${line}`),
    "",
  );

describe("the time of a line has nine digits, whatever zeros the runtime left out", () => {
  const cases = [
    ["2026-01-01T00:00:00.91636325Z", "2026-01-01T00:00:00.916363250Z"],
    ["2026-01-01T00:00:00Z", "2026-01-01T00:00:00.000000000Z"],
    ["2026-01-01T01:00:00.5+01:00", "2026-01-01T01:00:00.500000000+01:00"],
    [time, time],
  ] as const;
  for (const [written, shown] of cases)
    it(written, () => {
      const lines = new CriLogParser().push(Buffer.from(`${written} stdout F a\n`));
      expect([...lines].map((line) => line.time)).toEqual([shown]);
    });
});
