import { join } from "node:path";
import type { Clock } from "@coxswain/runtime/clock";
import { pollUntil } from "@coxswain/runtime/wait";
import type { CgroupHierarchies } from "../plan/cgroup-hierarchies.js";
import { processesOf, signalProcess } from "../undo/remove-cgroup.js";

/**
 * Asks all processes of pods to end, by SIGTERM, and waits until they have or the time is over; removing their groups kills
 * the rest. The kubelet must have ended: it would start them again.
 */
export async function askPodsToEnd(
  clock: Clock,
  { hierarchies, cgroup, graceMs }: { hierarchies: CgroupHierarchies; cgroup: string; graceMs: number },
): Promise<void> {
  // Each process of a container is in all hierarchies; of version 1 some runtimes leave out the last one.
  const root = join(hierarchies.folders[0] ?? "/sys/fs/cgroup", cgroup, "kubepods");
  const pids = await processesOf(root);
  for (const pid of pids) signalProcess(pid, "SIGTERM");
  if (pids.length === 0) return;
  await pollUntil(async () => (await processesOf(root)).length === 0, { intervalMs: 20, timeoutMs: graceMs, clock });
}
