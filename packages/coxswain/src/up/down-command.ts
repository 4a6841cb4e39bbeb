import { existsSync } from "node:fs";
import { parseOnlyFlags } from "@coxswain/component/flags";
import { cleanSite, machinesFolder } from "@coxswain/machines";
import { systemRuntime } from "@coxswain/runtime";
import { systemClock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import { clusterCommandFlags, showHelp } from "./cluster-command.js";
import { clusterFolder } from "./cluster-home.js";
import { isRunning, readState } from "./cluster-state.js";

/** A cluster that is asked to stop has so long; then it is killed, which loses nothing that was acknowledged. */
const graceMs = 10_000;

/** Ends the cluster's process. False: it was not running. */
export async function stopCluster(folder: string): Promise<boolean> {
  const state = readState(folder);
  if (!state || !isRunning(state)) return false;
  process.kill(state.pid, "SIGTERM");
  const hasEnded = (): boolean => !isRunning(state);
  if (!(await pollUntil(hasEnded, { intervalMs: 10, timeoutMs: graceMs, clock: systemClock }))) {
    process.kill(state.pid, "SIGKILL");
    await pollUntil(hasEnded, { intervalMs: 10, timeoutMs: graceMs, clock: systemClock });
  }
  return true;
}

/** Takes back what real nodes of a cluster left that was killed. Answers whether there was anything. */
export const cleanMachines = async (folder: string): Promise<boolean> =>
  process.platform === "linux" && existsSync(machinesFolder(folder)) && cleanSite(systemRuntime(), folder);

export async function runDown(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(clusterCommandFlags, args);
  if (parsed.kind === "help") return showHelp("down", 'Stops the process of a cluster. "coxswain up" starts it again.');
  const folder = clusterFolder(parsed.options);
  const stopped = await stopCluster(folder);
  if (await cleanMachines(folder)) process.stdout.write("cleaned up after machines of a cluster that was killed\n");
  process.stdout.write(stopped ? "stopped\n" : `no cluster runs in ${folder}\n`);
  return 0;
}
