import { FlagError, nearest, parseFlags } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { clusterCommandFlags, showHelp } from "../up/cluster-command.js";
import { clusterFolder } from "../up/cluster-home.js";
import { isRunning, readState } from "../up/cluster-state.js";
import { notRunning } from "../up/not-running.js";
import { importArchive } from "./import-archive.js";
import { ArchiveError, readArchive } from "./read-archive.js";
import { openArchive } from "./spool-archive.js";

const usage = "image load FILE|-";
const description = `Loads images of an archive (docker save, or an OCI image layout in a tar archive) into the container runtime of every real
node of a cluster; "-" reads it from standard input. Pods use them with imagePullPolicy IfNotPresent or Never.`;

export async function runImage(args: readonly string[]): Promise<number> {
  const parsed = parseFlags(clusterCommandFlags, args);
  if (parsed.kind === "help") return showHelp(usage, description);
  const [command = "", file, ...others] = parsed.rest;
  if (command !== "load") {
    const meant = nearest(command, ["load"]);
    throw new FlagError(
      `there is no "coxswain image ${command}". ${meant ? "Did you mean load?" : `Try "coxswain ${usage}".`}`,
    );
  }
  if (file === undefined || others.length > 0) throw new FlagError(`which archive? coxswain ${usage}`);
  const folder = clusterFolder(parsed.options);
  const state = readState(folder);
  if (!state || !isRunning(state)) {
    process.stderr.write(notRunning(parsed.options, " --runtime containerd"));
    return 1;
  }
  if (!state.machines?.length)
    throw new FlagError(`the cluster ${state.name} has no real nodes: simulated ones have every image`);
  const archive = await openArchive(file, folder);
  try {
    const names = await readArchive(archive.read());
    await importArchive(systemClock, { folder, machines: state.machines, archive });
    for (const name of names.length > 0 ? names : ["images without a name"])
      process.stdout.write(`loaded ${name} on ${state.machines.map((machine) => machine.name).join(", ")}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error;
    throw new FlagError(`${file === "-" ? "standard input" : file}: ${error.message}`);
  } finally {
    await archive.close();
  }
}
