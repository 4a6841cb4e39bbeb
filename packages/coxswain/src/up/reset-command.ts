import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseOnlyFlags } from "@coxswain/component/flags";
import { clusterCommandFlags, showHelp } from "./cluster-command.js";
import { clusterFolder } from "./cluster-home.js";
import { stateFile } from "./cluster-state.js";
import { stopCluster } from "./down-command.js";
import { unmergeKubeconfig } from "./merge-kubeconfig.js";

export async function runReset(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(clusterCommandFlags, args);
  if (parsed.kind === "help")
    return showHelp("reset", "Stops a cluster and deletes its folder: data, certificates, log.");
  const folder = clusterFolder(parsed.options);
  // Only what is ours is deleted, whatever --data-dir names.
  if (!existsSync(stateFile(folder)) && !existsSync(join(folder, "pki"))) {
    process.stdout.write(`there is no cluster in ${folder}\n`);
    return 0;
  }
  await stopCluster(folder);
  for (const name of ["store", "pki", "kubeconfig", "cluster.json", "cluster.log"])
    rmSync(join(folder, name), { recursive: true, force: true });
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
  await unmergeKubeconfig(parsed.options.name);
  process.stdout.write(`deleted the cluster in ${folder}\n`);
  return 0;
}
