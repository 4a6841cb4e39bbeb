import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CoxswainProcess, removeDataDir, startCoxswain } from "../clients/index.js";
import { cachedProgram, parseKubeconfig } from "../upstream/index.js";
import type { CaseOutcome } from "./report.js";
import { runH2spec } from "./run-h2spec.js";
import { leftToChance, upstreamFailures } from "./upstream-failures.js";

const program = cachedProgram("h2spec");
if (!program) console.warn('\n*** NOT TESTED: the cases of h2spec (build it with "npm run h2spec") ***\n');

describe.runIf(program)("the cases of h2spec", { timeout: 120_000 }, () => {
  let server: CoxswainProcess;
  let outcomes: readonly CaseOutcome[];
  beforeAll(async () => {
    server = await startCoxswain({ args: ["--storage=memory", "--log-level=error"] });
    outcomes = await runH2spec(program as string, parseKubeconfig(readFileSync(server.kubeconfig, "utf8")));
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    removeDataDir(server);
  });

  it("are passed wherever kube-apiserver passes them", () => {
    const excused = [...upstreamFailures, ...leftToChance];
    expect(outcomes.length).toBeGreaterThan(280);
    expect(outcomes.filter(({ name, verdict }) => verdict === "failed" && !excused.includes(name))).toEqual([]);
  });
});
