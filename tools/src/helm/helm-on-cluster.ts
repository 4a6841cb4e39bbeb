import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CoxswainProcess, removeDataDir, startCoxswain } from "../clients/coxswain-process.js";
import { runProgram } from "../clients/run-program.js";
import { ensureProgram, stopOnSignal } from "../upstream/index.js";
import type { Step } from "./story.js";

export interface HelmOnCluster {
  readonly cluster: CoxswainProcess;
  /** Where Helm runs: its home too, so that nothing of the user's counts. Gone after `stop`. */
  readonly folder: string;
  /** @throws Error with what was printed, where the command fails */
  helm(args: readonly string[]): Promise<string>;
  /** Runs a step and prints how it went. */
  perform(step: Step): Promise<boolean>;
  stop(): Promise<void>;
}

/** `coxswain up` in memory and Helm, built where it is not there yet. */
export async function startHelmOnCluster(): Promise<HelmOnCluster> {
  const program = await ensureProgram("helm");
  const cluster = await startCoxswain({ command: "up", args: ["--in-memory"] });
  const folder = mkdtempSync(join(tmpdir(), "helm-"));
  const stop = async (): Promise<void> => {
    await cluster.stop();
    removeDataDir(cluster);
    rmSync(folder, { recursive: true, force: true });
  };
  stopOnSignal(stop);
  const helm = async (args: readonly string[]): Promise<string> => {
    const env = { KUBECONFIG: cluster.kubeconfig, HOME: folder };
    const { code, stdout, stderr } = await runProgram(program, args, { cwd: folder, env });
    if (code !== 0) throw new Error(`helm ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  };
  return { cluster, folder, helm, perform: (step) => perform(step, helm), stop };
}

async function perform({ title, args, prints }: Step, helm: HelmOnCluster["helm"]): Promise<boolean> {
  const began = performance.now();
  let problem = "";
  try {
    const output = await helm(args);
    if (!output.includes(prints)) problem = `does not print ${JSON.stringify(prints)}:\n${output}`;
  } catch (error) {
    problem = (error as Error).message;
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(6);
  process.stdout.write(`${seconds} s  ${problem ? "FAILED" : "ok    "}  ${title}\n`);
  if (problem) process.stdout.write(`${problem}\n`);
  return problem === "";
}
