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

describeWith("volumes and control groups on containerd", need, () => {
  it("are in containers as pods ask for them, and gone with the pods", async () => {
    const { code, output } = await runTestsInNamespaces("packages/kubelet/src/volumes-on-containerd.nodes-test.ts");
    // With all that the inner run printed, where it failed.
    expect(code === 0 ? "passed" : output).toBe("passed");
  });
});
