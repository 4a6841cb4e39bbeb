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

describeWith("streams and logs of containerd", need, () => {
  it("pass their tests in namespaces of their own", async () => {
    const { code, output } = await runTestsInNamespaces("packages/kubelet/src/server/containerd-streams.nodes-test.ts");
    expect(code === 0 ? "passed" : output).toBe("passed");
  });
});
