import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@coxswain/tools/clients";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const launcher = join(dirname(fileURLToPath(import.meta.url)), "../../bin/coxswain.js");

/** A user who mistypes a flag gets one line that names the mistake, not a stack. */
describe("a start that cannot be", { timeout: 30_000 }, () => {
  let folder = "";
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "coxswain-start-"))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const cases = [
    { args: ["--runtime-config", "foo/v1=true"], message: "unknown api groups foo/v1" },
    { args: ["--runtime-config", "api/all=maybe"], message: "invalid value api/all=maybe" },
    { args: ["--feature-gates", "Nope=true"], message: "unrecognized feature gate: Nope" },
    { args: ["--nope"], message: "unknown flag --nope" },
    { args: ["--secure-port", "abc"], message: '--secure-port must be a whole number, not "abc"' },
    { args: ["--service-cluster-ip-range", "zzz"], message: '"zzz" is no range of addresses' },
    { args: ["--authorization-mode", "Nope"], message: "--authorization-mode must be one of" },
    { args: ["--enable-admission-plugins", "Nope"], message: 'admission plugin "Nope" is unknown' },
    { args: ["--data-dir", "/proc/nope"], message: "cannot make the directory /proc/nope (ENOENT)" },
    { args: ["--client-ca-file", "/nowhere/ca.crt"], message: "'/nowhere/ca.crt'" },
    { args: ["--etcd-servers", "http://127.0.0.1:1"], message: "cannot connect to http://127.0.0.1:1" },
  ];
  for (const { args, message } of cases) {
    it(args.join(" "), async () => {
      // A data directory of its own: a start that succeeds after all would keep it from the others.
      const dataDir = mkdtempSync(join(folder, "data-"));
      const { code, stdout, stderr } = await runProgram(process.execPath, [
        launcher,
        "apiserver",
        "--data-dir",
        dataDir,
        "--secure-port",
        "0",
        ...args,
      ]);
      expect(stderr.trimEnd().split("\n")).toHaveLength(1);
      expect(stderr).toContain(message);
      expect(stdout).toBe("");
      expect(code).toBeGreaterThan(0);
    });
  }
});
