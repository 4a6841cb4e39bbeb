import { describeWith } from "@coxswain/tools/needs";
import { missingForContainers, runTestsInNamespaces } from "@coxswain/tools/nodes";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { expect, it } from "vitest";

const isLong = process.env["COXSWAIN_HOSTILE_PODS"] === "all";
const missing = missingForContainers();
const need = {
  found: missing === undefined,
  missing: missing ?? "nothing",
  requiredAs: "nodes",
  timeout: isLong ? 1_200_000 : 300_000,
} as const;
const csiFile = "csi-on-containerd";
const csiNeed = {
  found: need.found && cachedOwnProgram("csi-mock") !== undefined,
  missing: missing ?? "upstream's CSI mock driver (npm run tool -- programs)",
  timeout: need.timeout,
} as const;

/** On one machine, one after the other. */
const files = isLong
  ? ["hostile-pods", "hostile-machine"]
  : ["cri/containerd", "server/containerd-streams", "volumes-on-containerd", "user-namespaces", "hostile-pods"];
if (csiNeed.found) files.push(csiFile);

/** Once, for all suites: most of the time goes into the machine and the modules, which the files share. */
let ran: ReturnType<typeof runTestsInNamespaces> | undefined;
const run = (): ReturnType<typeof runTestsInNamespaces> =>
  (ran ??= runTestsInNamespaces(...files.map((name) => `packages/kubelet/src/${name}.nodes-test.ts`)));

describeWith("on a real containerd", need, () => {
  it("the runtime's promises, streams, logs, volumes and control groups hold, also with pods that harm their node", async () => {
    const { code, output } = await run();
    // With all that the inner run printed, where it failed.
    expect(code === 0 ? "passed" : output).toBe("passed");
    expect(output).toContain(`${files.length} passed`);
  });
});

describeWith("upstream's CSI mock driver on a real kubelet", csiNeed, () => {
  it("is registered, stages, publishes, expands, and takes everything back", async () => {
    const { output } = await run();
    const lines = output.split("\n").filter((line) => line.includes(`${csiFile}.nodes-test.ts`));
    expect(lines).toEqual([expect.stringContaining("✓")]);
  });
});
