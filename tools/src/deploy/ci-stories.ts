import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import { runProgram } from "../clients/run-program.js";
import { type CompositeAction, planAction, readCommandFile } from "./composite-action.js";
import { command, makeNodeRoot } from "./debian-root.js";
import { Machine } from "./machine.js";
import type { Story } from "./story.js";

/** A machine as a job of CI has it: a bare one with Node and git; npm's packages come from this machine's cache, since nothing leaves it. */
async function startRunner(
  { base, folder, workspace }: Story,
  name: string,
): Promise<{ machine: Machine; root: string }> {
  const root = join(folder, name);
  await makeNodeRoot(base, root);
  const cache = (await runProgram("npm", ["config", "get", "cache"])).stdout.trim();
  const machine = await Machine.start({
    root,
    init: "shell",
    mounts: { "/npm-cache": cache, "/source": (await gitFolder(workspace)).trim() },
  });
  // npm writes into its cache while it reads.
  await machine.do(["cp", "-r", "/npm-cache/.", "/root/.npm"]);
  await machine.do(["git", "config", "--global", "safe.directory", "*"]);
  return { machine, root };
}

/** Of a worktree, too. */
const gitFolder = (workspace: string): Promise<string> =>
  command("git", ["-C", workspace, "rev-parse", "--path-format=absolute", "--git-common-dir"]);

const offline = { npm_config_offline: "true", npm_config_audit: "false", npm_config_fund: "false" };

/** A commit's checkout, as actions/checkout makes it. */
async function checkOut({ workspace }: Story, machine: Machine, to: string): Promise<void> {
  const commit = (await command("git", ["-C", workspace, "rev-parse", "HEAD"])).trim();
  await machine.do([
    "sh",
    "-ec",
    `git init -q ${to}; cd ${to}; git fetch -q --depth 1 file:///source ${commit}; git checkout -q FETCH_HEAD`,
  ]);
}

/** The steps of deploy/github-action, then one that uses the cluster, and its end. */
export async function runAction(story: Story): Promise<void> {
  const { machine, root } = await startRunner(story, "github");
  try {
    const actionPath = "/runner/actions/coxswain/deploy/github-action";
    await checkOut(story, machine, "/runner/actions/coxswain");
    const file = join(root, actionPath, "action.yml");
    const action = parseYaml(readFileSync(file, "utf8")).value as CompositeAction;
    let env: Record<string, string> = {};
    const files = { GITHUB_ENV: "/runner/env", GITHUB_OUTPUT: "/runner/output", RUNNER_TEMP: "/runner/temp" };
    await machine.do(["sh", "-c", "mkdir -p /runner/temp /runner/work; touch /runner/env /runner/output"]);
    const perform = async (
      name: string,
      script: string,
      more: Record<string, string>,
      folder = "/runner/work",
    ): Promise<string> => {
      story.print(`step: ${name}`);
      const argv = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script];
      const printed = await machine.do(argv, { folder, env: { CI: "true", ...offline, ...files, ...env, ...more } });
      env = { ...env, ...readCommandFile(readFileSync(join(root, "runner/env"), "utf8")) };
      return printed;
    };
    for (const { name, script, folder, env: own } of planAction(action, { inputs: { nodes: "2" }, actionPath }))
      await perform(name, script, own, folder);
    const outputs = readCommandFile(readFileSync(join(root, "runner/output"), "utf8"));
    if (!outputs["kubeconfig"] || outputs["kubeconfig"] !== env["KUBECONFIG"])
      throw new Error("there is no kubeconfig");
    checkStatus(await perform("a step that follows", 'test -s "$KUBECONFIG"; coxswain status -o json', {}), 2);
    await perform("the end", "coxswain down", {});
  } finally {
    await machine.stop();
  }
}

interface Job {
  readonly variables: Readonly<Record<string, string>>;
  readonly before_script: readonly string[];
  readonly after_script: readonly string[];
}

/** The job of deploy/gitlab, with a script that uses the cluster. As GitLab's runner does, each part is one shell. */
export async function runGitlabJob(story: Story): Promise<void> {
  const { machine } = await startRunner(story, "gitlab");
  try {
    const path = join(story.workspace, "deploy/gitlab/coxswain.gitlab-ci.yml");
    const { ".coxswain": job } = parseYaml(readFileSync(path, "utf8")).value as { ".coxswain": Job };
    // A commit is cloned by the name of a branch.
    await checkOut(story, machine, "/clone");
    await machine.do(["git", "-C", "/clone", "checkout", "-q", "-b", "main"]);
    const env = {
      CI: "true",
      CI_PROJECT_DIR: "/builds/project",
      ...offline,
      ...job.variables,
      COXSWAIN_CLONE: "file:///clone",
    };
    await machine.do(["mkdir", "-p", env.CI_PROJECT_DIR]);
    const perform = (part: string, lines: readonly string[]): Promise<string> => {
      story.print(`${part}: ${lines.length} lines`);
      return machine.do(["bash", "-eo", "pipefail", "-c", lines.join("\n")], { env, folder: env.CI_PROJECT_DIR });
    };
    await perform("before_script and script", [...job.before_script, 'test -s "$KUBECONFIG"', "coxswain wait --pods"]);
    checkStatus(await perform("after_script", job.after_script), 3);
  } finally {
    await machine.stop();
  }
}

/** @throws Error where the cluster does not run with so many nodes */
function checkStatus(text: string, nodes: number): void {
  const [json = ""] = /^\{[\s\S]*?^\}|^\{.*\}$/m.exec(text) ?? [];
  const { clusters } = JSON.parse(json) as { clusters: { state: string; nodes: { ready: number } }[] };
  if (clusters[0]?.state !== "running" || clusters[0].nodes.ready !== nodes)
    throw new Error(`not ${nodes} nodes: ${text}`);
}
