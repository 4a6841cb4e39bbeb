// npm run helm: see `usage`.
import { startHelmOnCluster } from "./helm-on-cluster.js";
import { story } from "./story.js";

const usage = `npm run tool -- helm

Takes the chart that "helm create" makes through its life on "coxswain up": install, upgrade, rollback, test, uninstall,
each with --wait where Helm has it. Passes when every command succeeds and prints what it should.
`;

async function main(): Promise<number> {
  const { helm, perform, stop } = await startHelmOnCluster();
  try {
    await helm(["create", "chart"]);
    for (const step of story) if (!(await perform(step))) return 1;
    return 0;
  } finally {
    await stop();
  }
}

if (process.argv.includes("--help")) process.stdout.write(usage);
else process.exitCode = await main();
