import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { ownLauncher, runProgram } from "@coxswain/tools/clients";
import { describeWith } from "@coxswain/tools/needs";
import { coxswainCalls } from "@coxswain/tools/pages";
import { describe, expect, it } from "vitest";

const workspace = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(workspace, "deploy", path), "utf8");
const rules = read("prometheus/alerts.yaml");

interface Rules {
  groups: { rules: { alert: string; expr: string }[] }[];
}
interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** Names in an expression that are metrics and neither functions, labels nor words of PromQL. */
const metricsIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:apiserver|etcd|workqueue|scheduler|leader_election|process|coxswain)_[a-z_]+\b/g)].map(
    ([name]) => name.replace(/_bucket$/, ""),
  );

/** All sources that may name a metric, once. */
function sources(): string {
  const packages = ["apiserver", "component", "controllers", "scheduler", "client", "coxswain", "storage"];
  return packages
    .flatMap((name) => {
      const folder = join(workspace, "packages", name, "src");
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
      return files
        .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
        .map((file) => readFileSync(join(folder, file), "utf8"));
    })
    .join("\n");
}

describe("files in deploy", () => {
  it("alerts and the dashboard name metrics that are served", () => {
    const { groups } = parseYaml(rules).value as Rules;
    const { panels } = JSON.parse(read("grafana/coxswain.json")) as Dashboard;
    const expressions = [
      ...groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
      ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(20);
    const text = sources();
    const unknown = expressions.flatMap(metricsIn).filter((name) => !text.includes(`"${name}"`));
    expect([...new Set(unknown)]).toEqual([]);
  });

  const units = readdirSync(join(workspace, "deploy/systemd")).filter((name) => name.endsWith(".service"));
  for (const unit of units)
    it(`${unit} gives the command flags that it has`, async () => {
      const [call] = coxswainCalls(
        /coxswain [^\n']*/.exec(read(`systemd/${unit}`).split("ExecStart=")[1] ?? "")?.[0] ?? "",
      );
      expect(call).toBeDefined();
      const { stdout } = await runProgram(process.execPath, [ownLauncher, ...(call?.words ?? []), "--help"]);
      expect(call?.flags.filter((flag) => !stdout.includes(flag))).toEqual([]);
    });

  const actions = ["github-action/action.yml", "gitlab/coxswain.gitlab-ci.yml", "prometheus/scrape.yaml"];
  for (const file of actions) it(`${file} is YAML`, () => expect(typeof parseYaml(read(file)).value).toBe("object"));

  it("the image starts the command with flags that it has", async () => {
    const [, line = ""] = /^CMD (\[.*\])$/m.exec(read("docker/Dockerfile")) ?? [];
    const [command = "", ...args] = JSON.parse(line) as string[];
    const { stdout } = await runProgram(process.execPath, [ownLauncher, command, "--help"]);
    expect(args.filter((arg) => arg.startsWith("--") && !stdout.includes(arg))).toEqual([]);
  });
});

const promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"].find(existsSync);
describeWith("alert rules", { found: promtool, missing: "promtool (apt-get install prometheus)" }, (program) => {
  it("are accepted by promtool", async () =>
    expect(
      await runProgram(program, ["check", "rules", join(workspace, "deploy/prometheus/alerts.yaml")]),
    ).toMatchObject({
      code: 0,
    }));
});
