// npm run envtest-project: see `usage`.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownLauncher } from "../clients/coxswain-process.js";
import { runProgram } from "../clients/run-program.js";
import { ensureProgram, type ProgramName } from "../upstream/index.js";
import { ensureEnvtestProject, type Suite } from "./project.js";
import { runSuite } from "./run-suite.js";

const usage = `npm run tool -- envtest-project

Scaffolds a Go operator with kubebuilder and runs its tests with the assets of "coxswain envtest" and with etcd and kube-apiserver:
the generated suite as it is, then with a controller, webhooks and specs of ours. Passes when everything passes with ours, and all
but the specs that need a garbage collector or a namespace controller with etcd and kube-apiserver.
`;
if (process.argv.length > 2) {
  process.stderr.write(usage);
  process.exit(2);
}

const project = await ensureEnvtestProject();
const upstream = mkdtempSync(join(tmpdir(), "coxswain-assets-"));
for (const name of ["etcd", "kube-apiserver", "kubectl"] satisfies ProgramName[])
  symlinkSync(await ensureProgram(name), join(upstream, name));
const ours = (await runProgram(process.execPath, [ownLauncher, "envtest", "--print-path"])).stdout.trimEnd();

const starts: { ours: number; theirs: number }[] = [];
let surprises = 0;

async function compare(title: string, suite: Suite): Promise<void> {
  const mine = await runSuite(suite, { assets: ours });
  // What never comes about there need not be waited for as long.
  const theirs = await runSuite(suite, { assets: upstream, patienceSeconds: 10 });
  if (mine.startSeconds !== undefined && theirs.startSeconds !== undefined)
    starts.push({ ours: mine.startSeconds, theirs: theirs.startSeconds });
  console.log(`${title}: ${mine.specs.length} specs`);
  // Ginkgo runs them in an order by chance.
  for (const { name, isPassed, needsControllers } of mine.specs) {
    const other = theirs.specs.find((spec) => spec.name === name);
    const isExpected = isPassed && other?.isPassed === !needsControllers;
    if (!isExpected) surprises += 1;
    const outcome = (passed: boolean | undefined): string => (passed ? "passes" : "FAILS ");
    console.log(
      `  ours ${outcome(isPassed)}  upstream ${outcome(other?.isPassed)}  ${name}${isExpected ? "" : "   <-- not expected"}`,
    );
    if (!isPassed) console.log(mine.output);
  }
}

try {
  for (const suite of project.generated) await compare(`${suite.name}, as generated`, suite);
  for (const suite of project.extended) await compare(`${suite.name}, with code and specs of ours`, suite);
} finally {
  rmSync(upstream, { recursive: true, force: true });
}
for (const { ours: mine, theirs } of starts)
  console.log(
    `start of the environment: ${mine.toFixed(1)} s, upstream ${theirs.toFixed(1)} s (1/${(theirs / mine).toFixed(1)})`,
  );
console.log(surprises === 0 ? "all as expected" : `${surprises} not as expected`);
process.exitCode = surprises === 0 ? 0 : 1;
