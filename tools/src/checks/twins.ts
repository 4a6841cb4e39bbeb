import { spawnSync } from "node:child_process";
import { join } from "node:path";

/** Whether the twins of work in steps are what `tools/generate/at-once.mjs` makes of it. */
export function checkTwins(root: string): string[] {
  const program = join(root, "tools/generate/at-once.mjs");
  const done = spawnSync(process.execPath, [program, "--check"], { encoding: "utf8" });
  return done.status === 0 ? [] : [done.stderr.trim()];
}
