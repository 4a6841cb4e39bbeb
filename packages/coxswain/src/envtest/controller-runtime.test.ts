import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownLauncher, runProgram } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { expect, it } from "vitest";

const need = {
  found: cachedOwnProgram("envtest"),
  missing: "a program made with controller-runtime's envtest (npm run tool -- programs; needs Go)",
  timeout: 180_000,
};

describeWith("controller-runtime's envtest.Environment", need, (program) => {
  it("starts, installs a definition, loses namespaces and owned objects, adds users and stops", async () => {
    const cache = mkdtempSync(join(tmpdir(), "coxswain-controller-runtime-"));
    const printed = await runProgram(process.execPath, [ownLauncher, "envtest", "--print-path"], {
      env: { COXSWAIN_CACHE_DIR: cache },
    });
    const { code, stdout, stderr } = await runProgram(program, [], {
      env: {
        KUBEBUILDER_ASSETS: printed.stdout.trimEnd(),
        COXSWAIN_CACHE_DIR: cache,
        COXSWAIN_ENVTEST_CONTROLLERS: "usual",
        // envtest's own default of 20 s is too short for a machine that is busy with other tests.
        KUBEBUILDER_CONTROLPLANE_START_TIMEOUT: "120s",
        KUBEBUILDER_CONTROLPLANE_STOP_TIMEOUT: "120s",
      },
    });
    rmSync(cache, { recursive: true, force: true });
    if (code !== 0) throw new Error(`${stdout}${stderr}`);
    expect(stdout.trimEnd().split("\n")).toEqual([
      "started",
      "namespace gone",
      "owned object collected",
      "user forbidden",
      "stopped",
    ]);
  });
});
