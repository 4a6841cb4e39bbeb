import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareChart } from "./prepare-chart.js";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "charts-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeChart(path: string, content: string): void {
  mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, path, "Chart.yaml"), content);
}

it("a chart is copied with what it depends on; what is not there is taken out of its list", () => {
  const dependencies = "[{ name: common }, { name: cache }, { name: own }]";
  writeChart("owner/charts/db", `name: db\nversion: 1.0.0\ndependencies: ${dependencies}\n`);
  writeChart("owner/charts/db/charts/own", "name: own\n");
  writeChart("owner/charts/common", "name: common\n");
  const chart = { name: "db", repository: "owner/charts", path: "db", dependencies: { common: "owner/charts/common" } };
  const copy = prepareChart(chart, folder, join(folder, "to"));
  expect(JSON.parse(readFileSync(join(copy, "Chart.yaml"), "utf8"))).toEqual({
    name: "db",
    version: "1.0.0",
    dependencies: [{ name: "common" }, { name: "own" }],
  });
  expect(readFileSync(join(copy, "charts/common/Chart.yaml"), "utf8")).toBe("name: common\n");
});

it("a checkout that is not there is named", () => {
  const chart = { name: "db", repository: "owner/charts", path: "db" };
  expect(() => prepareChart(chart, folder, join(folder, "to"))).toThrow("owner/charts/db/Chart.yaml: docs/charts.md");
});
