import { describe, expect, it } from "vitest";
import { overlapWarnings } from "./overlapping-paths.js";

const configMap = (...paths: string[]) => [
  { name: "v", configMap: { name: "c", items: paths.map((path) => ({ key: "k", path })) } },
];
const pairs = (warnings: readonly string[]): string[] =>
  warnings.map((text) => text.replace('volume "v" (ConfigMap "c"): overlapping paths: ', "").replaceAll('"', ""));

describe("paths of one volume that overlap", () => {
  const cases = [
    { name: "different files", paths: ["a", "b", "ab"], want: [] },
    { name: "the same file", paths: ["a", "a"], want: ["a with a"] },
    { name: "a folder and a file in it", paths: ["a", "a/b"], want: ["a/b with a"] },
    { name: "a file and its folder", paths: ["a/b", "a"], want: ["a with a/b"] },
    { name: "slashes at the end do not count", paths: ["a//", "a/b"], want: ["a/b with a"] },
    {
      name: "in the order of the items",
      paths: ["b/c", "a", "b", "a/x", "b/d"],
      want: ["b with b/c", "a/x with a", "b/d with b"],
    },
    { name: "a name between a folder and what is in it", paths: ["a", "a-b", "a/b"], want: ["a/b with a"] },
  ];
  for (const { name, paths, want } of cases)
    it(name, () => expect(pairs(overlapWarnings(configMap(...paths)))).toEqual(want));

  it("of a projected volume are looked for in all its sources", () => {
    const source = (name: string, path: string) => ({ secret: { name, items: [{ key: "k", path }] } });
    expect(
      overlapWarnings([{ name: "v", projected: { sources: [source("s", "a"), {}, source("t", "a/b")] } }]),
    ).toEqual([
      'volume "v" (Projected) has no sources provided',
      'volume "v" (Projected): overlapping paths: "a/b" (Secret "t") with "a" (Secret "s")',
    ]);
  });

  const hostile = [
    { name: "long runs of slashes", paths: [`${"/".repeat(1 << 20)}x`, `${"/".repeat(1 << 20)}x`], want: 1 },
    {
      name: "tens of thousands of different files",
      paths: Array.from({ length: 60_000 }, (_, at) => `file-${at}`),
      want: 0,
    },
    { name: "tens of thousands of equal files", paths: Array.from({ length: 60_000 }, () => "a"), want: 1000 },
    {
      name: "a thousand long paths that are the same",
      paths: Array.from({ length: 1000 }, () => "a".repeat(3000)),
      want: 11,
    },
  ];
  for (const { name, paths, want } of hostile)
    it(`are found in bounded work: ${name}`, () => expect(overlapWarnings(configMap(...paths))).toHaveLength(want));
});
