import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describeWith } from "@coxswain/tools/needs";
import { expect, it } from "vitest";
import { goModule, goModules } from "./go-module.js";

const modules = [
  "api",
  "apimachinery",
  "apiextensions-apiserver",
  "kube-aggregator",
  "apiserver",
  "component-base",
  "client-go",
  "controller-manager",
  "kubernetes",
];
const complete = modules.every((name) => goModule(`k8s.io/${name}`) !== undefined);

describeWith("the generator", { found: complete, missing: goModules, timeout: 120_000 }, () => {
  it("writes what src/gen holds", () => {
    const script = fileURLToPath(new URL("../../../tools/generate/run.mjs", import.meta.url));
    const run = spawnSync(process.execPath, [script, "--check"], {
      encoding: "utf8",
      env: { ...process.env, GOPROXY: "off" },
    });
    expect(run.stderr).toBe("");
    expect(run.status).toBe(0);
  });
});
