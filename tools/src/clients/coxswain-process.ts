import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export interface CoxswainProcess {
  readonly kubeconfig: string;
  readonly dataDir: string;
  readonly port: number;
  readonly pid: number;
  /** Resolves when the process is gone, however it ended. */
  readonly ended: Promise<void>;
  /** Its output so far. */
  output(): string;
  /** Ends it and waits. With SIGTERM it may finish what it does; SIGKILL is the power cut. Answers the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface CoxswainOptions {
  /** Kept when it is given; else a new one, removed with `removeDataDir`. */
  dataDir?: string;
  /** @default 0: any free one */
  port?: number;
  /** The launcher of another build. @default the one in this checkout */
  launcher?: string;
  /** What to run: an API server alone, or a whole cluster. @default apiserver */
  command?: "apiserver" | "up";
  /** Flags besides. */
  args?: readonly string[];
  /** Flags of Node. @default none */
  nodeArgs?: readonly string[];
  /** Added to our environment. */
  env?: Readonly<Record<string, string>>;
}

/** The command of this checkout. */
export const ownLauncher = join(dirname(fileURLToPath(import.meta.url)), "../../../packages/coxswain/bin/coxswain.js");

export const removeDataDir = ({ dataDir }: CoxswainProcess): void => rmSync(dataDir, { recursive: true, force: true });

/** Without a controller manager nothing creates the service accounts of pods, so the plugin that needs them is off unless admission plugins are named. */
const withoutAccounts = (args: readonly string[]): readonly string[] =>
  args.some((arg) => arg.includes("able-admission-plugins")) ? [] : ["--disable-admission-plugins=ServiceAccount"];

/** The built command as a process of its own, as a user starts it. Resolves when it serves: when its kubeconfig is there. */
export async function startCoxswain(options: CoxswainOptions = {}): Promise<CoxswainProcess> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), "coxswain-test-"));
  const { command = "apiserver" } = options;
  const kubeconfig = join(dataDir, "kubeconfig");
  rmSync(kubeconfig, { force: true });
  const args = [
    ...(options.nodeArgs ?? []),
    options.launcher ?? ownLauncher,
    ...(options.launcher?.endsWith("start.cjs") ? [] : [command]), // `npm start` is `up`
    "--data-dir",
    dataDir,
    "--secure-port",
    String(options.port ?? 0),
    ...(command === "apiserver" ? ["--allow-privileged", ...withoutAccounts(options.args ?? [])] : []),
    ...(options.args ?? []),
  ];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...options.env } });
  let printed = "";
  child.stdout.on("data", (chunk) => (printed += String(chunk)));
  child.stderr.on("data", (chunk) => (printed += String(chunk)));
  const exited = once(child, "exit");
  const deadline = Date.now() + 180_000; // a machine that is busy with other things takes its time
  while (!existsSync(kubeconfig)) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`coxswain ${command} did not get ready (exit code ${child.exitCode}):\n${printed}`);
    }
    await sleep(10);
  }
  while (!/https:\/\/\S+:(\d+)/.test(printed)) await sleep(5);
  return {
    kubeconfig,
    dataDir,
    port: Number(/https:\/\/\S+:(\d+)/.exec(printed)?.[1]),
    pid: child.pid ?? 0,
    ended: exited.then(() => undefined),
    output: () => printed,
    async stop(signal = "SIGTERM") {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
