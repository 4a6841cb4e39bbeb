import { describe, expect, it } from "vitest";
import { Samples } from "./samples.js";

describe("samples", () => {
  const samples = new Samples();
  for (const value of [1, 9, 2]) samples.add("quiet", value);
  for (const value of [6, 1, 5]) samples.add("flooded", value);
  samples.add("missing", "not yet");

  it.each([
    { name: "are reported by their median", figure: { what: "quiet" }, want: 2 },
    {
      name: "are divided by medians, not one by one",
      figure: { what: "ratio", quotient: { of: "flooded", by: "quiet" } },
      want: 2.5,
    },
    {
      name: "are not divided by what a server does not have",
      figure: { what: "ratio", quotient: { of: "missing", by: "quiet" } },
      want: "not yet",
    },
    { name: "are nothing where nothing was measured", figure: { what: "other" }, want: undefined },
  ])("$name", ({ figure, want }) => {
    expect(samples.valueOf(figure)).toBe(want);
  });
});
