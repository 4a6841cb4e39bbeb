import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownLauncher, runProgram } from "@coxswain/tools/clients";
import { cachedEnvtestProject, runSuite } from "@coxswain/tools/envtest-project";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";

const need = {
  found: cachedEnvtestProject(),
  missing: "a project scaffolded by kubebuilder (npm run tool -- envtest-project; needs Go)",
  timeout: 600_000,
};

/** `npm run tool -- envtest-project` also runs them with etcd and kube-apiserver, where those that need controllers fail. */
describeWith("an operator scaffolded by kubebuilder", need, ({ generated, extended }) => {
  const cache = mkdtempSync(join(tmpdir(), "coxswain-kubebuilder-"));
  const env = { COXSWAIN_CACHE_DIR: cache };
  let assets = "";
  beforeAll(async () => {
    assets = (await runProgram(process.execPath, [ownLauncher, "envtest", "--print-path"], { env })).stdout.trimEnd();
  });
  afterAll(() => rmSync(cache, { recursive: true, force: true }));

  const suites = [
    { name: "passes its generated tests of the controller", suite: generated[0], specs: 1, needControllers: 0 },
    { name: "passes tests that need a garbage collector", suite: extended[0], specs: 6, needControllers: 4 },
    { name: "passes tests of its webhooks", suite: extended[1], specs: 2, needControllers: 0 },
  ];
  for (const { name, suite, specs, needControllers } of suites)
    it(name, async () => {
      if (!suite) throw new Error("the project has no such suite");
      const result = await runSuite(suite, { assets, env, patienceSeconds: 300 });
      const failed = result.specs.filter(({ isPassed }) => !isPassed).map((spec) => spec.name);
      if (failed.length > 0) throw new Error(`${failed.join(", ")} failed:\n${result.output}`);
      expect(result.specs).toHaveLength(specs);
      expect(result.specs.filter((spec) => spec.needsControllers)).toHaveLength(needControllers);
    });
});
