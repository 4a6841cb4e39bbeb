import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { compareVersions } from "./version-order.js";

describe("compareVersions", () => {
  it("ranks stable over beta over alpha over other names", () => {
    const ranked = ["v11", "v2", "v1", "v11beta2", "v10beta3", "v3beta1", "v12alpha1", "v11alpha2", "foo1", "foo10"];
    assert.deepEqual([...ranked].reverse().sort(compareVersions), ranked);
  });
  it("does not take a leading zero for a number", () => {
    assert.deepEqual(["v01", "v1"].sort(compareVersions), ["v1", "v01"]);
  });
});
