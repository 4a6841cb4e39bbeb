import { describeWith } from "@coxswain/tools/needs";
import { missingForContainers, runTestsInNamespaces } from "@coxswain/tools/nodes";
import { expect, it } from "vitest";

const missing = missingForContainers();
const need = {
  found: missing === undefined,
  missing: missing ?? "nothing",
  requiredAs: "nodes",
  timeout: 120_000,
} as const;

describeWith("a real containerd", need, () => {
  it("keeps what a container runtime promises", async () => {
    const { code, output } = await runTestsInNamespaces("packages/kubelet/src/cri/containerd.nodes-test.ts");
    // With all that the inner run printed, where it failed.
    expect(code === 0 ? "passed" : output).toBe("passed");
    expect(output).toMatch(/14 passed/);
  });
});
