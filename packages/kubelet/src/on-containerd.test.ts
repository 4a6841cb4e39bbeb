import { describeWith } from "@coxswain/tools/needs";
import { missingForContainers, runTestsInNamespaces } from "@coxswain/tools/nodes";
import { expect, it } from "vitest";

const isLong = process.env["COXSWAIN_HOSTILE_PODS"] === "all";
const missing = missingForContainers();
const need = {
  found: missing === undefined,
  missing: missing ?? "nothing",
  requiredAs: "nodes",
  timeout: isLong ? 1_200_000 : 300_000,
} as const;

/** On one machine, one after the other. */
const files = isLong
  ? ["hostile-pods", "hostile-machine"]
  : ["cri/containerd", "server/containerd-streams", "volumes-on-containerd", "user-namespaces", "hostile-pods"];

describeWith("on a real containerd", need, () => {
  it("the runtime's promises, streams, logs, volumes and control groups hold, also with pods that harm their node", async () => {
    const { code, output } = await runTestsInNamespaces(
      ...files.map((name) => `packages/kubelet/src/${name}.nodes-test.ts`),
    );
    // With all that the inner run printed, where it failed.
    expect(code === 0 ? "passed" : output).toBe("passed");
    expect(output).toContain(`${files.length} passed`);
  });
});
