import { describe, expect, it } from "vitest";
import {
  compareVersions,
  formatVersion,
  parseLenientVersion,
  parseSemanticVersion,
  type SemanticVersion,
} from "./semantic-version.js";

const version = (text: string): SemanticVersion => {
  const read = parseSemanticVersion(text);
  if (typeof read === "string") throw new Error(read);
  return read;
};

describe("semantic versions", () => {
  const ascending = [
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-a",
    "1.0.0-a.1",
    "1.0.0-b",
    "1.0.0",
    "1.0.1",
    "1.2.0",
    "1.10.0",
  ];
  it("are ordered by numbers, then by pre-release, which comes before the release", () => {
    const sorted = [...ascending].reverse().sort((a, b) => compareVersions(version(a), version(b)));
    expect(sorted).toEqual(ascending);
  });

  it("are the same whatever their build", () =>
    expect(compareVersions(version("1.0.0+a"), version("1.0.0+b"))).toBe(0));

  it("are written as they were read", () => expect(formatVersion(version("1.2.3-a.1+b.c"))).toBe("1.2.3-a.1+b.c"));

  const lenient = [
    { text: "v1", reads: "1.0.0" },
    { text: "01.002", reads: "1.2.0" },
    { text: "1.2.03-rc", reads: "1.2.3-rc" },
    { text: "v1.2-rc", reads: "short version cannot contain PreRelease/Build meta data" },
    { text: "vv1", reads: 'Invalid character(s) found in major number "0v1"' },
  ];
  for (const { text, reads } of lenient)
    it(`${text} normalized is ${reads}`, () => {
      const read = parseLenientVersion(text);
      expect(typeof read === "string" ? read : formatVersion(read)).toBe(reads);
    });
});
