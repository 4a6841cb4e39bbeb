import { describeWith } from "@coxswain/tools/needs";
import { missingForContainers, runTestsInNamespaces } from "@coxswain/tools/nodes";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { expect, it } from "vitest";

const missing = missingForContainers();
const driver = cachedOwnProgram("csi-mock");
const need = {
  found: missing === undefined && driver !== undefined,
  missing: missing ?? "upstream's CSI mock driver (npm run tool -- programs)",
  timeout: 300_000,
} as const;

describeWith("upstream's CSI mock driver on a real kubelet", need, () => {
  it("is registered, stages, publishes, expands, and takes everything back", async () => {
    const { code, output } = await runTestsInNamespaces("packages/kubelet/src/csi-on-containerd.nodes-test.ts");
    // With all that the inner run printed, where it failed.
    expect(code === 0 ? "passed" : output).toBe("passed");
  });
});
