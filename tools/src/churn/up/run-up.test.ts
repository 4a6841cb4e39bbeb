import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findKubectl, kubectlMinors } from "../../clients/index.js";
import { describeWith } from "../../needs/index.js";
import { planChurn } from "../operations.js";
import { runUpChurn } from "./run-up.js";

const need = { found: findKubectl(kubectlMinors().at(-1) ?? ""), missing: "kubectl", timeout: 240_000 };

/** A slice of `npm run tool -- churn --up`: so few nodes that none is killed, which takes minutes to settle. */
describeWith("churn on coxswain up", need, (kubectl) => {
  it("ends as a new cluster begins, with the process killed on the way", async () => {
    const folder = mkdtempSync(join(tmpdir(), "coxswain-churn-"));
    const operations = planChurn({ seed: 2, operations: 16, nodes: 3, restarts: true });
    expect(operations.some((each) => each.do === "restart")).toBe(true);
    expect(await runUpChurn({ folder, nodes: 3, operations, kubectl, quietMs: 2_000, print: () => {} })).toEqual([]);
    rmSync(folder, { recursive: true, force: true });
  });
});
