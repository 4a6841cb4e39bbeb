import { describe, expect, it } from "vitest";
import { errorKinds, onlyIn } from "./log-errors.js";

const line = (message: string, at = "01:47:05.123456"): string => `E1116 ${at}   12345 replica_set.go:123] ${message}`;

describe("errors in logs of upstream's components", () => {
  it("counts errors that differ only in names and numbers as one kind", () => {
    const log = [
      line(`"Unhandled Error" err="sync \\"a/web-6d4cf56db6\\" failed with pods \\"web-6d4cf56db6-x2x4z\\" not found"`),
      line(
        `"Unhandled Error" err="sync \\"a/web-7c9b4d5f88\\" failed with pods \\"web-7c9b4d5f88-b5b6c\\" not found"`,
        "01:48:00.000001",
      ),
    ].join("\n");
    expect(errorKinds(log)).toEqual([
      {
        kind: `replica_set.go: "Unhandled Error" err="sync \\"a/NAME\\" failed with pods \\"NAME\\" not found"`,
        count: 2,
        example: log.split("\n")[0],
      },
    ]);
  });

  it("leaves out information, warnings, lines of other forms and lost races", () => {
    const log = [
      "I1116 01:47:05.123456   12345 a.go:1] E is fine",
      "W1116 01:47:05.123456   12345 a.go:1] careful",
      "Error: flags",
      line(`err="Operation cannot be fulfilled: the object has been modified"`),
    ];
    expect(errorKinds(log.join("\n"))).toEqual([]);
  });

  it("returns what stands in one log only", () => {
    const ours = errorKinds([line("first 1"), line("second 2")].join("\n"));
    expect(onlyIn(ours, errorKinds(line("second 9"))).map(({ kind }) => kind)).toEqual(["replica_set.go: first N"]);
  });
});
