import { describe, expect, it } from "vitest";
import { intType } from "../types/type.js";
import { createEnvironment } from "./environment.js";

describe("an environment", () => {
  it("that only adds variables shares what libraries declare: definitions have thousands of schema nodes", () => {
    let reads = 0;
    const library = {
      name: "counted",
      get functions() {
        reads++;
        return [];
      },
    };
    const base = createEnvironment({ libraries: [library] });
    const before = reads;
    for (let node = 0; node < 100; node++)
      expect(base.extend({ variables: { self: intType } }).compile("self + 1").ok).toBe(true);
    expect(reads).toBe(before);
    expect(base.compile("self + 1").ok).toBe(false);
    base.extend({ libraries: [{ name: "more" }] });
    expect(reads).toBeGreaterThan(before);
  });
});
