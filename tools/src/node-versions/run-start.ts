import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "./format-table.js";
import type { InstalledNode } from "./install-node.js";
import { environmentOf } from "./run-tests.js";

/** What `npm start` prints last before it waits. */
const ready = "Ctrl-C";
/** A machine that is busy with other things takes its time. */
const longestMs = 180_000;

/** What `npm start` does, on that version, until its cluster is ready; then Ctrl-C, after which it has to end well. */
export async function runStart(root: string, node: InstalledNode): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "node-versions-start-"));
  const begin = performance.now();
  const child = spawn(
    join(node.folder, "node"),
    [join(root, "tools/start.cjs"), "--data-dir", join(folder, "data"), "--secure-port", "0"],
    { cwd: root, env: { ...process.env, ...environmentOf(node) }, stdio: ["ignore", "pipe", "pipe"] },
  );
  let printed = "";
  let readyAfter: number | undefined;
  const read = (chunk: Buffer): void => {
    printed += String(chunk);
    if (readyAfter !== undefined || !printed.includes(ready)) return;
    readyAfter = performance.now() - begin;
    child.kill("SIGINT");
  };
  child.stdout.on("data", read);
  child.stderr.on("data", read);
  const timeout = setTimeout(() => child.kill("SIGKILL"), longestMs);
  try {
    const [code] = (await once(child, "close")) as [number | null];
    if (readyAfter === undefined) return { passed: false, text: "not ready", details: [printed.trim()] };
    const text = `ready in ${(readyAfter / 1000).toFixed(1)} s`;
    return code === 0
      ? { passed: true, text, details: [] }
      : { passed: false, text: `${text}, exit code ${code}`, details: [printed.trim()] };
  } finally {
    clearTimeout(timeout);
    rmSync(folder, { recursive: true, force: true });
  }
}
