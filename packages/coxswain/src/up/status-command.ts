import { basename } from "node:path";
import { defineFlags, parseOnlyFlags } from "@coxswain/component/flags";
import { isJsonWanted, outputFlags, printJson } from "../command/output-flag.js";
import { clusterCommandFlags, showHelp } from "./cluster-command.js";
import { type ClusterContent, readContent } from "./cluster-content.js";
import { clusterFolder } from "./cluster-home.js";
import { type ClusterState, isRunning, knownFolders, readState } from "./cluster-state.js";

const statusFlags = defineFlags({ ...clusterCommandFlags, ...outputFlags });

/** One cluster as `status -o json` shows it. Members that are not known are left out. */
interface ClusterStatus {
  readonly name: string;
  readonly folder: string;
  /** `unreachable`: its process runs, but the API server does not answer. */
  readonly state: "running" | "unreachable" | "stopped" | "absent" | "unreadable";
  readonly url?: string;
  readonly pid?: number;
  readonly startedAt?: string;
  readonly kubeconfig?: string;
  readonly nodes?: ClusterContent["nodes"];
  readonly pods?: ClusterContent["pods"];
  readonly error?: string;
}

export async function runStatus(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(statusFlags, args);
  if (parsed.kind === "help")
    return showHelp(
      "status",
      "Shows one cluster (--name, --data-dir) or all. Ends with 1 if none of them runs.",
      statusFlags,
    );
  const isJson = isJsonWanted(parsed.options);
  const isNamed = parsed.given.has("name") || parsed.given.has("data-dir");
  const folders = isNamed ? [clusterFolder(parsed.options)] : knownFolders();
  const clusters = await Promise.all(folders.map(statusOf));
  if (isJson) printJson({ clusters });
  else if (clusters.length === 0) process.stdout.write('there is no cluster; "coxswain up" starts one\n');
  else for (const cluster of clusters) process.stdout.write(describe(cluster));
  return clusters.some(({ state }) => state === "running" || state === "unreachable") ? 0 : 1;
}

async function statusOf(folder: string): Promise<ClusterStatus> {
  let known: ClusterState | undefined;
  try {
    known = readState(folder);
  } catch (error) {
    // The other clusters are shown all the same.
    return { name: basename(folder), folder, state: "unreadable", error: (error as Error).message };
  }
  if (!known) return { name: basename(folder), folder, state: "absent" };
  const { name, url, pid, startedAt, kubeconfig } = known;
  if (!isRunning(known)) return { name, folder, state: "stopped" };
  const facts = { name, folder, url, pid, startedAt, kubeconfig };
  try {
    return { ...facts, state: "running", ...(await readContent(known)) };
  } catch (error) {
    return { ...facts, state: "unreachable", error: (error as Error).message };
  }
}

function simulatedWords(nodes: ClusterContent["nodes"] | undefined): string {
  if (!nodes || nodes.simulated === 0) return "";
  return ` (${nodes.simulated === nodes.all ? "all" : nodes.simulated} simulated: docs/nodes.md)`;
}

function describe({ name, folder, state, nodes, pods, error, url, pid, startedAt, kubeconfig }: ClusterStatus): string {
  const where = `  ${url}, pid ${pid}, since ${startedAt}\n  export KUBECONFIG=${kubeconfig}\n`;
  switch (state) {
    case "absent":
      return `no cluster was started in ${folder}\n`;
    case "unreadable":
      return `${error}\n`;
    case "stopped":
      return `${name}: stopped, data in ${folder}\n`;
    case "unreachable":
      return `${name}: its process runs, but the API server does not answer: ${error}\n${where}`;
    case "running":
      return `${name}: running, ${nodes?.ready} of ${nodes?.all} nodes ready${simulatedWords(nodes)}, ${pods?.running} of ${pods?.all} pods running\n${where}`;
  }
}
