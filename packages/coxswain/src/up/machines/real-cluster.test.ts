import { describeWith } from "@coxswain/tools/needs";
import { missingForContainers, runTestsInNamespaces } from "@coxswain/tools/nodes";
import { expect, it } from "vitest";

const missing = missingForContainers();
const need = {
  found: missing === undefined,
  missing: missing ?? "nothing",
  requiredAs: "nodes",
  timeout: 300_000,
} as const;

describeWith("a cluster with real nodes", need, () => {
  it("runs pods with volumes, is joined by machines, and is taken apart without a trace", async () => {
    const path = "packages/coxswain/src/up/machines/real-cluster.nodes-test.ts";
    const { code, output } = await runTestsInNamespaces(path);
    // With all that the inner run printed, where it failed.
    expect(code === 0 ? "passed" : output).toBe("passed");
  });
});
