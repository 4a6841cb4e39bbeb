import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { machinesFolder, siteCgroup } from "@coxswain/machines";
import { createSeededRandom, shuffled } from "@coxswain/runtime/random";
import { ownLauncher, runProgram } from "../clients/index.js";
import { compareSnapshots, takeSnapshot } from "../nodes/index.js";
import type { UpKill } from "./plan-up-kills.js";

export interface UpKillOptions {
  readonly kill: UpKill;
  readonly nodes: number;
  /** Of another build. @default the one in this checkout */
  readonly launcher?: string | undefined;
  print(line: string): void;
}

/**
 * Starts a cluster with real nodes, kills processes of it at one moment, starts it again, which must work, and resets it, after which
 * the machine must be as before. Answers what was wrong, as sentences. Only in namespaces of its own.
 */
export async function runUpKill({ kill, nodes, launcher = ownLauncher, print }: UpKillOptions): Promise<string[]> {
  const home = mkdtempSync(join(tmpdir(), "up-kills-"));
  const before = await takeSnapshot(home);
  const env = { ...process.env, COXSWAIN_HOME: home };
  const command = (...args: string[]): string[] => [process.execPath, launcher, ...args];
  const up = ["up", "--runtime", "containerd", "--nodes", String(nodes), "--wait-timeout", "5m0s"];
  const run = async (...args: string[]): Promise<{ code: number; output: string }> => {
    const [program = "", ...rest] = command(...args);
    const { code, stdout, stderr } = await runProgram(program, rest, { env });
    return { code: code ?? 1, output: stdout + stderr };
  };
  try {
    const first = start(command(...up), env);
    if (kill.moment === "starting") await untilChanged(first, join(home, "default"));
    else await untilReady(first);
    if (kill.moment === "stopping") first.kill("SIGTERM");
    await delay(kill.afterMs); // of Node's own timers: when `up` has ended, nothing else keeps this process alive
    print(`  killed ${await killSome(first, kill, join(home, "default"))}`);
    const problems: string[] = [];
    // `up` refuses a cluster that runs: where only nodes' programs were killed, it has to go first, too.
    first.kill("SIGKILL");
    const again = await run(...up, "--detach");
    if (again.code !== 0) problems.push(`up again: ${again.output.trim()}`);
    const reset = await run("reset", "--yes");
    if (reset.code !== 0) problems.push(`reset: ${reset.output.trim()}`);
    return [...problems, ...compareSnapshots(before, await takeSnapshot(home))];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function start([program = "", ...args]: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(program, args, { env, stdio: ["ignore", "pipe", "ignore"] });
}

/** Resolves when it has begun to change the machine; or when it ends. */
async function untilChanged(child: ChildProcess, folder: string): Promise<void> {
  const file = join(machinesFolder(folder), "undo.jsonl");
  while (!existsSync(file) && child.exitCode === null) await delay(5);
}

/** Resolves when it prints how it is used; or when it ends. */
async function untilReady(child: ChildProcess): Promise<void> {
  let output = "";
  const ready = new Promise<void>((resolve) =>
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("kubectl get nodes")) resolve();
    }),
  );
  await Promise.race([ready, once(child, "exit")]);
}

/** Answers how many of how many. */
async function killSome(up: ChildProcess, { victim, chance }: UpKill, folder: string): Promise<string> {
  const programs = processesOf(siteCgroup(folder)).map((pid) => ({ pid, command: commandOf(pid) }));
  const all = [{ pid: up.pid ?? -1, command: "up" }, ...programs];
  const random = createSeededRandom(`some ${chance}`);
  const chosen = {
    up: () => all.slice(0, 1),
    node: () => all.filter(({ command }) => command.includes(" node run ")),
    containerd: () => all.filter(({ command }) => command.includes("containerd --config")),
    some: () => shuffled(all, random).slice(0, Math.ceil(chance * all.length)),
    all: () => all,
  }[victim]();
  for (const { pid } of chosen)
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // it has just ended
    }
  return `${chosen.length} of ${all.length} processes (${victim})`;
}

function processesOf(cgroup: string): number[] {
  const below = (folder: string): number[] => {
    try {
      const own = readFileSync(join(folder, "cgroup.procs"), "utf8").split("\n").filter(Boolean).map(Number);
      const children = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
      return [...own, ...children.flatMap(({ name }) => below(join(folder, name)))];
    } catch {
      return []; // the group is not there, or has just gone
    }
  };
  const roots = readdirSync("/sys/fs/cgroup", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = [cgroup, ...roots.map(({ name }) => join(name, cgroup))];
  return [...new Set(found.flatMap((path) => below(join("/sys/fs/cgroup", path))))].filter((pid) => pid > 0);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // it has just ended
  }
}
