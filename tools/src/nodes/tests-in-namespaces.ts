import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { planOwnNamespaces, runInOwnNamespaces } from "./own-namespaces.js";
import { missingPackages } from "./packages.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");

/** What tests on a container runtime lack here, as a sentence; undefined: nothing. Whether namespaces can be made is tried. */
export function missingForContainers(): string | undefined {
  const packages = missingPackages(isReachable, { toRun: true });
  if (packages.length > 0) return `${packages.join(", ")} (apt-get install ${packages.join(" ")})`;
  const [program = "", ...args] = planOwnNamespaces(["mount", "-t", "tmpfs", "tmpfs", "/mnt"]);
  const tried = spawnSync(program, args, { stdio: "ignore" });
  return tried.status === 0 ? undefined : "the right to make namespaces and to mount in them (root)";
}

/** A program is there if PATH leads to it: what the tests start is found that way. */
function isReachable(file: string): boolean {
  if (!dirname(file).endsWith("bin")) return existsSync(file);
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, basename(file))));
}

/**
 * Runs test files (`*.nodes-test.ts`, by a part of their path) in namespaces without a way out, where they may start a container runtime.
 * Ends all that they leave behind.
 */
export async function runTestsInNamespaces(
  ...paths: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const config = join(root, "tools/vitest-nodes.config.ts");
  let output = "";
  const command = [process.execPath, vitest, "run", "--root", root, "--config", config, ...paths];
  const code = await runInOwnNamespaces(command, { onOutput: (text) => (output += text) });
  return { code, output };
}
