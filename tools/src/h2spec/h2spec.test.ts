import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CoxswainProcess, removeDataDir, startCoxswain } from "../clients/index.js";
import { describeWith } from "../needs/index.js";
import { cachedProgram, parseKubeconfig } from "../upstream/index.js";
import type { CaseOutcome } from "./report.js";
import { runH2spec } from "./run-h2spec.js";
import { leftToChance, upstreamFailures } from "./upstream-failures.js";

const program = cachedProgram("h2spec");
const need = { found: program, missing: "h2spec (npm run tool -- h2spec)", timeout: 240_000 };

/** An answer may be complete before the frame that a case is about has come: what fails is tried again. */
const attempts = 3;

describeWith("the cases of h2spec", need, () => {
  let server: CoxswainProcess;
  beforeAll(async () => {
    server = await startCoxswain({ args: ["--storage=memory", "--log-level=error"] });
  }, 60_000);
  afterAll(async () => {
    await server.stop();
    removeDataDir(server);
  });

  it("are passed wherever kube-apiserver passes them", async () => {
    const excused = [...upstreamFailures, ...leftToChance];
    let failed: readonly CaseOutcome[] | undefined;
    for (let attempt = 0; attempt < attempts && failed?.length !== 0; attempt++) {
      const outcomes = await runH2spec(program as string, parseKubeconfig(readFileSync(server.kubeconfig, "utf8")));
      expect(outcomes.length).toBeGreaterThan(280);
      const now = outcomes.filter(({ name, verdict }) => verdict === "failed" && !excused.includes(name));
      failed = now.filter(({ name }) => failed === undefined || failed.some((before) => before.name === name));
    }
    expect(failed).toEqual([]);
  });
});
