import { gunzipSync } from "node:zlib";
import { decode } from "@coxswain/wire/protobuf";
import { describe, expect, it } from "vitest";
import { profileType, toPprof } from "./pprof.js";

const frame = (functionName: string, lineNumber: number) => ({
  functionName,
  scriptId: "1",
  url: "file:///a.js",
  lineNumber,
  columnNumber: 0,
});

describe("a CPU profile for pprof", () => {
  it("has a stack from the leaf up, and its time, for each place that was seen", () => {
    const bytes = toPprof(
      {
        nodes: [
          { id: 1, callFrame: frame("(root)", -1), children: [2] },
          { id: 2, callFrame: frame("outer", 4), children: [3] },
          { id: 3, callFrame: frame("", 9) },
        ],
        startTime: 1000,
        endTime: 4000,
        samples: [3, 3, 2],
        timeDeltas: [0, 1000, 1000],
      },
      5,
    );
    const profile = decode(profileType, gunzipSync(bytes));
    const text = (at: number | undefined): string => profile.strings[at ?? 0] ?? "?";
    expect(profile.samples.map(({ locations, values }) => [locations, values])).toEqual([
      [
        [3, 2],
        [2, 2_000_000],
      ],
      [[2], [1, 1_000_000]],
    ]);
    expect(profile.functions.map(({ name, startLine }) => [text(name), startLine])).toEqual([
      ["(root)", 0],
      ["outer", 5],
      ["(anonymous)", 10],
    ]);
    expect(profile.sampleTypes.map(({ type, unit }) => `${text(type)}/${text(unit)}`)).toEqual([
      "samples/count",
      "cpu/nanoseconds",
    ]);
    expect([profile.durationNanos, profile.timeNanos, profile.period]).toEqual([3_000_000n, 5_000_000n, 1_000_000]);
  });
});
