import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { Chart } from "./chart-table.js";

interface ChartFile {
  readonly dependencies?: readonly { readonly name: string }[];
}

/**
 * A copy of a chart below `to` that Helm can install without a network: what it depends on is copied into its folder `charts`, where
 * `helm dependency build` would download it to. Answers the copy's folder.
 */
export function prepareChart(chart: Chart, from: string, to: string): string {
  const source = join(from, chart.repository, chart.path);
  const file = join(source, "Chart.yaml");
  if (!existsSync(file)) throw new Error(`there is no ${file}: docs/charts.md lists what belongs where`);
  const copy = join(to, chart.name);
  cpSync(source, copy, { recursive: true, filter: (path) => !path.includes("/.git/") });
  const vendored = chart.dependencies ?? {};
  for (const [name, folder] of Object.entries(vendored)) {
    mkdirSync(join(copy, "charts"), { recursive: true });
    cpSync(join(from, folder), join(copy, "charts", name), { recursive: true });
  }
  const described = parseYaml(readFileSync(file, "utf8")).value as ChartFile;
  // Helm refuses a chart whose dependencies are not all there, also those that its values turn off.
  const dependencies = (described.dependencies ?? []).filter(({ name }) => existsSync(join(copy, "charts", name)));
  writeFileSync(join(copy, "Chart.yaml"), JSON.stringify({ ...described, dependencies }));
  return copy;
}
