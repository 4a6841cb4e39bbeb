import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { defineFlags, parseOnlyFlags } from "@coxswain/component/flags";
import { clusterCommandFlags, showHelp } from "./cluster-command.js";
import { choiceWords, clusterFolder } from "./cluster-home.js";
import { readState, stateFile } from "./cluster-state.js";
import { cleanMachines, stopCluster } from "./down-command.js";
import { unmergeKubeconfig } from "./merge-kubeconfig.js";
import { sudoKubeconfig, userBehindSudo } from "./sudo-user.js";

const resetFlags = defineFlags({
  ...clusterCommandFlags,
  yes: { group: "Cluster", type: "boolean", short: "y", help: "Delete without asking." },
});

export async function runReset(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(resetFlags, args);
  if (parsed.kind === "help")
    return showHelp("reset", "Stops a cluster and deletes its folder: data, certificates, log.", resetFlags);
  const folder = clusterFolder(parsed.options);
  // Only what is ours is deleted, whatever --data-dir names.
  if (!["pki", "machines"].some((name) => existsSync(join(folder, name))) && !existsSync(stateFile(folder))) {
    process.stdout.write(`there is no cluster in ${folder}\n`);
    return 0;
  }
  if (!parsed.options.yes && !(await isConfirmed(`Delete the cluster in ${folder}, with all its data?`))) {
    process.stderr.write(`nothing was deleted; "coxswain reset${choiceWords(parsed.options)} --yes" does not ask\n`);
    return 1;
  }
  const kubeconfig = readState(folder)?.kubeconfig;
  await stopCluster(folder);
  await cleanMachines(folder);
  const user = userBehindSudo();
  if (user && kubeconfig === sudoKubeconfig(user, parsed.options.name)) rmSync(kubeconfig, { force: true });
  for (const name of ["machines", "store", "history", "pki", "kubeconfig", "cluster.json", "cluster.log"])
    rmSync(join(folder, name), { recursive: true, force: true });
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
  await unmergeKubeconfig(parsed.options.name);
  process.stdout.write(`deleted the cluster in ${folder}\n`);
  return 0;
}

/** Where nobody can answer, as in a script, the answer is no. */
async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
