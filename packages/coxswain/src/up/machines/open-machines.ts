import { FlagError } from "@coxswain/component/flags";
import {
  cniFolders,
  findProblems,
  findProgram,
  type MachineOptions,
  type MachineSite,
  openSite,
  readPreflightFacts,
} from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";

export interface OpenMachinesOptions {
  readonly folder: string;
  readonly nodeNetwork: string | undefined;
  readonly podNetwork: string | undefined;
  readonly serviceNetworks: readonly string[];
  readonly registryConfig: string;
  readonly pauseImage: string;
}

/** What real nodes are made in. */
export interface OpenMachines {
  readonly site: MachineSite;
  readonly containerd: MachineOptions["containerd"];
}

/** Checks what real nodes need before anything is changed, then makes what they share. @throws FlagError with all that is missing */
export async function openMachines(runtime: Runtime, options: OpenMachinesOptions): Promise<OpenMachines> {
  const facts = await readPreflightFacts(runtime.ioClock);
  const problems = findProblems(facts);
  if (problems.length > 0) throw new FlagError(`--runtime containerd: ${problems.join("\n  ")}`);
  const program = (await findProgram({ name: "containerd" })) ?? "containerd";
  const cniPrograms: string[] = [];
  for (const folder of cniFolders)
    if (await findProgram({ name: "bridge", folders: [] }, folder)) cniPrograms.push(folder);
  const { nodeNetwork: nodes, podNetwork: pods } = options;
  const site = await openSite(runtime, {
    folder: options.folder,
    networks: { ...(nodes !== undefined && { nodes }), ...(pods !== undefined && { pods }) },
    otherNetworks: options.serviceNetworks,
  });
  return {
    site,
    containerd: {
      program,
      majorVersion: facts.containerdMajor ?? 1,
      cniPrograms,
      hostsFolder: options.registryConfig,
      pauseImage: options.pauseImage,
    },
  };
}
