import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const launcher = fileURLToPath(new URL("../bin/coxswain.js", import.meta.url));

describe("the compiled code that the launcher keeps", { timeout: 60_000 }, () => {
  let folder = "";
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "coxswain-code-"))));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What is kept after a command that is stopped once it prints something. */
  async function keptAfter(...args: string[]): Promise<string[]> {
    const child = spawn(process.execPath, [launcher, ...args], {
      env: { ...process.env, COXSWAIN_CACHE_DIR: folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    child.stdout.once("data", () => child.kill("SIGTERM"));
    expect(await once(child, "exit")).toEqual([0, null]);
    const code = join(folder, "code");
    return readdirSync(code).map((name) => `${name} ${statSync(join(code, name)).mtimeMs}`);
  }

  it("is kept by a server that ends as soon as it has greeted, and good for the next one: a rejected cache would be written anew", async () => {
    const first = await keptAfter("apiserver", "--data-dir", join(folder, "data"), "--secure-port", "0");
    expect(first).toHaveLength(1);
    expect(await keptAfter("apiserver", "--data-dir", join(folder, "data"), "--secure-port", "0")).toEqual(first);
  });
});
