import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { findKubectl, kubectlMinors } from "../clients/index.js";
import { describeWith } from "../needs/index.js";
import { runTutorial } from "./run-tutorial.js";

const workspace = fileURLToPath(new URL("../../../", import.meta.url));
const kubectl = findKubectl(kubectlMinors().at(-1) ?? "");
const need = { found: kubectl, missing: "kubectl", timeout: 900_000 };

describeWith("docs/tutorial-api-server.md", need, (found) => {
  const folder = mkdtempSync(join(tmpdir(), "tutorial-api-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("every step ends as the page shows, alone and behind coxswain up", async () => {
    const done: string[] = [];
    await runTutorial({
      markdown: readFileSync(join(workspace, "docs/tutorial-api-server.md"), "utf8"),
      folder,
      kubectl: found,
      modules: join(workspace, "node_modules"),
      onStep: (step) => done.push(step.do),
    });
    expect(done.filter((each) => each === "type").length).toBeGreaterThan(15);
  });
});
