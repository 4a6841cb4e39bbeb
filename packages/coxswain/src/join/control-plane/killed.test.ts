import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { ownLauncher, runProgram } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { afterAll, beforeAll, expect, it } from "vitest";

const children = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
const runs = (pid: number): boolean => existsSync(`/proc/${pid}/exe`);
const until = (isSo: () => boolean): Promise<boolean> =>
  pollUntil(isSo, { intervalMs: 50, timeoutMs: 30_000, clock: systemClock });

const linux = { found: process.platform === "linux" || undefined, missing: "Linux (/proc)", timeout: 90_000 };
describeWith("a machine of the control plane that is killed", linux, () => {
  const home = mkdtempSync(join(tmpdir(), "coxswain-killed-"));
  const kubeconfig = join(home, "first/kubeconfig");
  let joined: ChildProcess;
  const coxswain = async (line: string): Promise<string> => {
    const env = { COXSWAIN_HOME: home, HOME: home };
    return (await runProgram(process.execPath, [ownLauncher, ...line.split(" ")], { env })).stdout;
  };

  beforeAll(async () => {
    await coxswain("up --name first --detach --in-memory --nodes 0 --secure-port 0");
    const line = await coxswain(
      `token create --kubeconfig ${kubeconfig} --control-plane --data-dir ${join(home, "first")} --etcd-servers=http://127.0.0.1:1`,
    );
    const words = line.trim().split(" ").slice(1);
    // An address of its own: the ports of a controller manager and a scheduler are fixed.
    const own = ["--data-dir", join(home, "joined"), "--bind-address", "127.81.7.3"];
    joined = spawn(process.execPath, [ownLauncher, ...words, ...own], { stdio: "ignore" });
  }, 60_000);
  afterAll(async () => {
    joined?.kill("SIGKILL");
    await coxswain("down --name first");
    rmSync(home, { recursive: true, force: true });
  });

  it("leaves none of its three processes, also of one that still waits for etcd", async () => {
    const { pid = 0 } = joined;
    expect(await until(() => children(pid).length === 3)).toBe(true);
    const started = children(pid);
    const log = join(home, "joined/logs/scheduler.log");
    expect(await until(() => readFileSync(log, "utf8").includes("is working"))).toBe(true);
    const ended = once(joined, "exit");
    joined.kill("SIGKILL");
    await ended;
    await until(() => !started.some(runs));
    expect(started.filter(runs)).toEqual([]);
  });
});
