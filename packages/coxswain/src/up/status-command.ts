import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { connect, loadKubeconfig } from "@coxswain/client/node";
import { parseOnlyFlags } from "@coxswain/component/flags";
import { clusterCommandFlags, showHelp } from "./cluster-command.js";
import { clusterFolder, clustersFolder } from "./cluster-home.js";
import { type ClusterState, isRunning, readState, stateFile } from "./cluster-state.js";

export async function runStatus(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(clusterCommandFlags, args);
  if (parsed.kind === "help")
    return showHelp(
      "status",
      "Shows one cluster (--name, --data-dir) or all. Ends with 1 if one that was named does not run.",
    );
  const isNamed = parsed.given.has("name") || parsed.given.has("data-dir");
  const folders = isNamed ? [clusterFolder(parsed.options)] : allFolders();
  if (folders.length === 0) process.stdout.write('there is no cluster; "coxswain up" starts one\n');
  const lines = await Promise.all(folders.map(describe));
  for (const { text } of lines) process.stdout.write(text);
  return isNamed && lines.some(({ runs }) => !runs) ? 1 : 0;
}

function allFolders(): string[] {
  const root = clustersFolder();
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort()
    .map((name) => join(root, name))
    .filter((folder) => existsSync(stateFile(folder)));
}

async function describe(folder: string): Promise<{ readonly runs: boolean; readonly text: string }> {
  let state: ClusterState | undefined;
  try {
    state = readState(folder);
  } catch (error) {
    return { runs: false, text: `${(error as Error).message}\n` }; // the other clusters are shown all the same
  }
  if (!state) return { runs: false, text: `no cluster was started in ${folder}\n` };
  if (!isRunning(state)) return { runs: false, text: `${state.name}: stopped, data in ${folder}\n` };
  return {
    runs: true,
    text: `${state.name}: ${await content(state)}\n  ${state.url}, pid ${state.pid}, since ${state.startedAt}\n  export KUBECONFIG=${state.kubeconfig}\n`,
  };
}

/** Nodes and pods as the API server reports them; a cluster that does not answer is shown as such. */
async function content({ kubeconfig }: ClusterState): Promise<string> {
  const client = connect(loadKubeconfig({ path: kubeconfig }), { timeoutMs: 5000, maxRetries: 0 });
  try {
    const [nodes, pods] = await Promise.all([client.core.v1.nodes().list(), client.core.v1.pods().list()]);
    const ready = nodes.items.filter(({ status }) =>
      status?.conditions?.some(({ type, status: value }) => type === "Ready" && value === "True"),
    );
    const running = pods.items.filter(({ status }) => status?.phase === "Running");
    return `running, ${ready.length} of ${nodes.items.length} nodes ready, ${running.length} of ${pods.items.length} pods running`;
  } catch (error) {
    return `its process runs, but the API server does not answer: ${(error as Error).message}`;
  } finally {
    await client.close();
  }
}
