import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type PeerCertificate } from "node:tls";
import { fileURLToPath } from "node:url";
import { connect as connectClient, loadKubeconfig } from "@coxswain/client/node";
import { type CoxswainProcess, ownLauncher, runProgram, startCoxswain } from "@coxswain/tools/clients";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** The commands of the section, block by block: renewing, and the three steps of a rotation. */
const page = readFileSync(fileURLToPath(new URL("../../../../docs/operations.md", import.meta.url)), "utf8");
const section = page.slice(page.indexOf("## Certificates"));
const [renew = "", begin = "", change = "", finish = ""] = [...section.matchAll(/```sh\n(.*?)```/gs)].map(
  ([, text = ""]) => text,
);

describe("docs/operations.md, certificates, as printed beside a server that runs", { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-certs-"));
  let server: CoxswainProcess;
  beforeAll(async () => {
    mkdirSync(join(folder, "bin"));
    symlinkSync(ownLauncher, join(folder, "bin/coxswain"));
    server = await startCoxswain({ dataDir: join(folder, "server"), args: ["--storage", "memory"] });
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (commands: string) =>
    runProgram("bash", ["-e"], {
      input: commands.replaceAll("/var/lib/coxswain", server.dataDir),
      cwd: folder,
      env: { PATH: [join(folder, "bin"), process.env["PATH"] ?? ""].join(delimiter), HOME: folder },
    });
  const shown = (): Promise<PeerCertificate> =>
    new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port: server.port, rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate());
        socket.destroy();
      });
      socket.on("error", reject);
    });
  /** Until the server shows another certificate than this one. */
  async function otherThan(before: PeerCertificate): Promise<PeerCertificate> {
    for (;;) {
      const now = await shown();
      if (now.fingerprint256 !== before.fingerprint256) return now;
      await sleep(50);
    }
  }
  /** The kubeconfig of the data directory, as it is now or was, still leads to an administrator's answers. */
  async function canList(kubeconfig: string): Promise<boolean> {
    const file = join(folder, "kubeconfig-of-a-step");
    writeFileSync(file, kubeconfig);
    const client = connectClient(loadKubeconfig({ path: file }));
    try {
      await client.core.v1.namespaces().list();
      return true;
    } catch {
      return false;
    } finally {
      await client.close();
    }
  }
  const kubeconfig = (): string => readFileSync(server.kubeconfig, "utf8");
  async function changedFrom(before: string): Promise<string> {
    while (kubeconfig() === before) await sleep(50);
    return kubeconfig();
  }

  it("`certs list` shows when each expires, and `certs renew` makes new ones that the server takes up", async () => {
    const [before, first] = [await shown(), kubeconfig()];
    const { code, stdout, stderr } = await run(renew);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^apiserver\.crt +kube-apiserver +kubernetes +20\d\d-\S+Z +36\dd +valid$/m);
    expect(stdout).toMatch(/^admin was renewed$/m);
    await otherThan(before);
    expect(await canList(await changedFrom(first))).toBe(true);
    expect(await canList(first)).toBe(true);
  });

  it("an authority is replaced by overlap: kubeconfigs of the step before go on, those of before the rotation end", async () => {
    const [before, atFirst] = [await shown(), kubeconfig()];
    expect((await run(begin)).code).toBe(0);
    const begun = await changedFrom(atFirst);
    expect([await canList(atFirst), await canList(begun)]).toEqual([true, true]);
    expect((await run(change)).code).toBe(0);
    await otherThan(before);
    const changed = await changedFrom(begun);
    expect([await canList(begun), await canList(changed)]).toEqual([true, true]);
    expect((await run(finish)).code).toBe(0);
    const finished = await changedFrom(changed);
    expect([await canList(atFirst), await canList(finished)]).toEqual([false, true]);
  });

  const refused = [
    { name: "a step in the wrong order", command: "certs rotate finish", text: "call `begin` and `switch` first" },
    { name: "an unknown step", command: "certs rotate jump", text: "is no step of a rotation" },
    { name: "an unknown name", command: "certs renew nobody", text: "nobody" },
    { name: "an unknown action", command: "certs burn", text: "coxswain certs list|renew|rotate" },
  ];
  for (const { name, command, text } of refused)
    it(`${name} is refused in words`, async () => {
      const { code, stderr } = await run(`coxswain ${command} --data-dir /var/lib/coxswain`);
      expect(code).not.toBe(0);
      expect(stderr).toContain(text);
    });
});
