import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { findKubectl, kubectlMinors } from "../clients/index.js";
import { describeWith } from "../needs/index.js";
import { sectionOf } from "./read-tutorial.js";
import { runTutorial } from "./run-tutorial.js";

const workspace = fileURLToPath(new URL("../../../", import.meta.url));
const kubectl = findKubectl(kubectlMinors().at(-1) ?? "");

describeWith("docs/history.md", { found: kubectl, missing: "kubectl", timeout: 600_000 }, (found) => {
  const folder = mkdtempSync(join(tmpdir(), "history-stories-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("the five stories are printed as the page shows", async () => {
    let seen = 0;
    await runTutorial({
      markdown: sectionOf(readFileSync(join(workspace, "docs/history.md"), "utf8"), "Five stories"),
      folder,
      kubectl: found,
      modules: join(workspace, "node_modules"),
      onStep: (step) => void (seen += step.do === "see" ? 1 : 0),
    });
    expect(seen).toBeGreaterThanOrEqual(6);
  });
});
