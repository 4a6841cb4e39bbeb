import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../clients/run-program.js";
import { cacheDirectory } from "../upstream/index.js";

/** Node of a major version, from npm's package `node`. */
export interface InstalledNode {
  readonly major: string;
  /** "v24.21.0" */
  readonly version: string;
  /** Of `node`: the first of a PATH, so that programs which start `node` find this one. */
  readonly folder: string;
}

/** The newest of its major version that npm has, installed outside the tree. Throws where npm cannot. */
export async function installNode(major: string): Promise<InstalledNode> {
  const prefix = join(cacheDirectory(), "node-versions", major);
  mkdirSync(prefix, { recursive: true });
  const flags = ["--prefix", prefix, "--no-audit", "--no-fund"];
  const installed = await runProgram("npm", ["install", ...flags, `node@${major}`]);
  const folder = join(prefix, "node_modules/.bin");
  // The package copies the program in a script of its own, which a setting of npm may have kept from running.
  if (installed.code === 0 && !existsSync(join(folder, "node")))
    await runProgram("npm", ["rebuild", "--prefix", prefix, "--ignore-scripts=false", "node"]);
  const { code, stdout } = await runProgram(join(folder, "node"), ["--version"]).catch(() => ({ code: 1, stdout: "" }));
  if (code !== 0) throw new Error(`npm cannot install node@${major}: ${installed.stderr.trim()}`);
  return { major, version: stdout.trim(), folder };
}
