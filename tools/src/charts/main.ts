// npm run tool -- charts: see `usage`.
import { resolve } from "node:path";
import { startHelmOnCluster } from "../helm/helm-on-cluster.js";
import type { Step } from "../helm/story.js";
import { type Chart, charts } from "./chart-table.js";
import { prepareChart } from "./prepare-chart.js";

const usage = `npm run tool -- charts DIR [CHART …]

Installs charts of other projects on "coxswain up", all in one cluster and each with --wait, and uninstalls them. DIR has a checkout
of each repository by its owner and name (DIR/bitnami/charts): docs/charts.md lists them. Without names all charts are installed.
Passes when every command succeeds.
`;

const waitFlags = ["--wait", "--timeout", "180s"];

const install = ({ name, values = [] }: Chart, folder: string): Step => ({
  title: `install ${[name, ...values].join(" --set ")}`,
  args: [
    "install",
    name,
    folder,
    "--namespace",
    name,
    "--create-namespace",
    ...waitFlags,
    ...values.flatMap((value) => ["--set", value]),
  ],
  prints: "STATUS: deployed",
});

const uninstall = ({ name }: Chart): Step => ({
  title: `uninstall ${name}`,
  args: ["uninstall", name, "--namespace", name, ...waitFlags],
  prints: "uninstalled",
});

async function main(from: string, names: readonly string[]): Promise<number> {
  const chosen = names.length === 0 ? charts : charts.filter(({ name }) => names.includes(name));
  const { perform, folder, stop, cluster } = await startHelmOnCluster();
  const installed: Chart[] = [];
  try {
    for (const chart of chosen) {
      if (await perform(install(chart, prepareChart(chart, from, folder)))) installed.push(chart);
    }
    let failed = chosen.length - installed.length;
    for (const chart of installed) if (!(await perform(uninstall(chart)))) failed++;
    process.stdout.write(`${installed.length} of ${chosen.length} charts installed\n`);
    if (failed > 0) process.stdout.write(cluster.output());
    return failed === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

const [from, ...names] = process.argv.slice(2);
if (from === undefined || from === "--help") {
  process.stdout.write(usage);
  if (from === undefined) process.exitCode = 2;
} else process.exitCode = await main(resolve(from), names);
