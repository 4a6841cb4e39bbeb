import { expect, it } from "vitest";
import { describeWith } from "../needs/index.js";
import { missingForContainers, runTestsInNamespaces } from "../nodes/index.js";

const missing = missingForContainers();
const need = {
  found: missing === undefined,
  missing: missing ?? "nothing",
  requiredAs: "nodes",
  timeout: 300_000,
} as const;

describeWith("a real node that is killed", need, () => {
  it("loses no container and leaves nothing behind", async () => {
    const { code, output } = await runTestsInNamespaces("tools/src/node-kills/kills.nodes-test.ts");
    // With all that the inner run printed, where it failed.
    expect(code === 0 ? "passed" : output).toBe("passed");
  });
});
