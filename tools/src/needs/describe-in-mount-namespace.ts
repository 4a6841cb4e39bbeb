import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { it } from "vitest";
import { describeWith } from "./describe-with.js";

/** Names the test file whose suites run in this process, which is inside a namespace already. */
const marker = "COXSWAIN_TEST_IN_NAMESPACE";
const workspace = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * A suite that mounts: it runs in another process, in a mount namespace of its own, so that nothing of it reaches the machine and all
 * of it is gone with the process. The file is run again there, by the same test runner; `file` is its `import.meta.url`.
 */
export function describeInMountNamespace(title: string, file: string, suite: () => void): void {
  const isInside = process.env[marker] === file;
  const missing = "root and mount namespaces, by unshare (apt-get install util-linux)";
  const need = { found: isInside || canUnshare(), missing, timeout: 300_000, requiredAs: "nodes" } as const;
  describeWith(title, need, isInside ? suite : () => it("in a mount namespace of its own", () => runAgain(file)));
}

/** Tried, not guessed by the user's number: a container may have root and no namespaces. */
function canUnshare(): boolean {
  if (process.platform !== "linux") return false;
  try {
    execFileSync("unshare", ["--mount", "--propagation", "private", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

/** @throws Error with what the run printed, where a test failed */
const runAgain = (file: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const runner = [process.execPath, `${workspace}node_modules/vitest/vitest.mjs`, "run", fileURLToPath(file)];
    const env = { ...process.env, [marker]: file };
    const args = ["--mount", "--propagation", "private", ...runner];
    execFile("unshare", args, { cwd: workspace, env, maxBuffer: 16 * 1024 * 1024 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${stdout}${stderr}`)) : resolve(),
    );
  });
