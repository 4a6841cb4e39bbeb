import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownLauncher, runProgram } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { freePorts } from "@coxswain/tools/upstream";
import { afterAll, beforeAll, expect, it } from "vitest";

const page = readFileSync(fileURLToPath(new URL("../../../../docs/etcd-protocol.md", import.meta.url)), "utf8");
const isThere = (name: string, argument: string): boolean => spawnSync(name, [argument]).status === 0;

/** The commands of the page's first block, as they are printed. */
const printed = (/```console\n(.*?)```/s.exec(page)?.[1] ?? "").split("\n").flatMap((line) => {
  const command = /^\$ (.*)$/.exec(line)?.[1];
  return command === undefined ? [] : [command];
});

describeWith(
  "docs/etcd-protocol.md, typed as it is printed",
  {
    found: isThere("etcdctl", "version") && isThere("curl", "--version"),
    missing: "etcdctl and curl (apt-get install etcd-client curl)",
    timeout: 120_000,
  },
  () => {
    const home = mkdtempSync(join(tmpdir(), "coxswain-etcd-page-"));
    let port = 0;
    beforeAll(async () => {
      mkdirSync(join(home, "bin"));
      const launcher = join(home, "bin/coxswain");
      writeFileSync(launcher, `#!/bin/sh\nexec "${process.execPath}" "${ownLauncher}" "$@"\n`);
      chmodSync(launcher, 0o755);
      [port = 0] = await freePorts(1);
    });

    /** In a shell whose home is a new folder; only the port is another, because 2379 may be taken. */
    const type = async (command: string): Promise<string> => {
      const line = command.replaceAll("127.0.0.1:2379", `127.0.0.1:${port}`);
      const { PATH = "", XDG_CACHE_HOME = join(process.env["HOME"] ?? "", ".cache") } = process.env;
      const env = { HOME: home, PATH: `${join(home, "bin")}:${PATH}`, XDG_CACHE_HOME, ETCDCTL_API: "3" };
      const { code, stdout, stderr } = await runProgram("sh", ["-ec", line], { env });
      if (code !== 0) throw new Error(`${line} ended with ${code}: ${stderr}${stdout}`);
      return stdout;
    };
    afterAll(async () => {
      await type("coxswain down").finally(() => rmSync(home, { recursive: true }));
    });

    it("etcdctl and curl with a client certificate read what the cluster holds", async () => {
      const [up = "", cd = "", etcdctl = "", curl = ""] = printed;
      expect(printed).toHaveLength(4);
      await type(up);
      const { kvs } = JSON.parse(await type(`${cd} && ${etcdctl}`)) as { kvs: { key: string }[] };
      const keys = kvs.map(({ key }) => Buffer.from(key, "base64").toString());
      expect(keys).toContain("/registry/namespaces/default");
      expect(keys.every((key) => key.startsWith("/registry/"))).toBe(true);
      const answer = JSON.parse(await type(`${cd} && ${curl}`)) as { kvs: { key: string; value: string }[] };
      expect(answer.kvs).toHaveLength(1);
      expect(JSON.parse(Buffer.from(answer.kvs[0]?.value ?? "", "base64").toString())).toMatchObject({
        kind: "Namespace",
        metadata: { name: "default" },
      });
    });
  },
);
