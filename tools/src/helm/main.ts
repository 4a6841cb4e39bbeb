// npm run helm: see `usage`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeDataDir, startCoxswain } from "../clients/coxswain-process.js";
import { runProgram } from "../clients/run-program.js";
import { ensureProgram, stopOnSignal } from "../upstream/index.js";
import { type Step, story } from "./story.js";

const usage = `npm run tool -- helm

Takes the chart that "helm create" makes through its life on "coxswain up": install, upgrade, rollback, test, uninstall,
each with --wait where Helm has it. Passes when every command succeeds and prints what it should.
`;

/** The chart's test is a wget. Simulated containers have no network: the pod is annotated to succeed after a second. */
function letTestEnd(chart: string): void {
  const file = join(chart, "templates/tests/test-connection.yaml");
  const hook = '    "helm.sh/hook": test\n';
  const text = readFileSync(file, "utf8");
  if (!text.includes(hook)) throw new Error(`${file} has another form than expected`);
  writeFileSync(file, text.replace(hook, `${hook}    "simulation.coxswain.dev/run-for": 1s\n`));
}

type Run = (args: readonly string[]) => Promise<string>;

async function perform({ title, args, prints }: Step, helm: Run): Promise<boolean> {
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

async function main(): Promise<number> {
  const program = await ensureProgram("helm");
  const cluster = await startCoxswain({ command: "up", args: ["--in-memory"] });
  const folder = mkdtempSync(join(tmpdir(), "helm-"));
  const stop = async (): Promise<void> => {
    await cluster.stop();
    removeDataDir(cluster);
    rmSync(folder, { recursive: true, force: true });
  };
  stopOnSignal(stop);
  const helm: Run = async (args) => {
    const env = { KUBECONFIG: cluster.kubeconfig, HOME: folder };
    const { code, stdout, stderr } = await runProgram(program, args, { cwd: folder, env });
    if (code !== 0) throw new Error(`helm ${args.join(" ")} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  };
  try {
    await helm(["create", "chart"]);
    letTestEnd(join(folder, "chart"));
    for (const step of story) if (!(await perform(step, helm))) return 1;
    return 0;
  } finally {
    await stop();
  }
}

if (process.argv.includes("--help")) process.stdout.write(usage);
else process.exitCode = await main();
