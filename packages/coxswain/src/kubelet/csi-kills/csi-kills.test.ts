import { describeWith } from "@coxswain/tools/needs";
import { missingForContainers, runTestsInNamespaces } from "@coxswain/tools/nodes";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { expect, it } from "vitest";

const seeds = process.env["COXSWAIN_CSI_KILLS"];

function findMissing(): string | undefined {
  if (seeds === undefined) return "npm run tool -- csi-kills, which takes a minute a seed";
  if (cachedOwnProgram("csi-mock") === undefined) return "upstream's CSI mock driver (npm run tool -- programs)";
  return missingForContainers();
}

const missing = findMissing();
const need = {
  found: missing === undefined,
  missing: missing ?? "nothing",
  timeout: (Number(seeds ?? 0) + 1) * 300_000,
} as const;

describeWith("a kubelet that is killed in the middle of a storage driver's calls", need, () => {
  it("finishes what it began, and leaves nothing", async () => {
    const { code, output } = await runTestsInNamespaces(
      "packages/coxswain/src/kubelet/csi-kills/csi-kills.nodes-test.ts",
    );
    process.stdout.write(output);
    expect(code).toBe(0);
  });
});
