import { readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { FlagError } from "@coxswain/component/flags";
import {
  cniFolders,
  findProblems,
  findProgram,
  type MachineOptions,
  type MachineSite,
  machinesFolder,
  openSite,
  planMirrors,
  type RegistryMirror,
  readPreflightFacts,
} from "@coxswain/machines";
import type { Runtime } from "@coxswain/runtime";
import { parseMirrors } from "./parse-mirrors.js";

/** Makes the folder of registries that the flags describe. Answers it: without mirrors it is the user's. */
async function writeMirrors(
  site: MachineSite,
  mirrors: readonly RegistryMirror[],
  registryConfig: string,
): Promise<string> {
  if (mirrors.length === 0) return registryConfig;
  const folder = join(machinesFolder(site.folder), "registries");
  await rm(folder, { recursive: true, force: true });
  const names = await readdir(registryConfig).catch(() => []); // there need be none
  const others = names.map((registry) => ({ registry, path: join(resolve(registryConfig), registry) }));
  await site.perform(planMirrors(folder, mirrors, others));
  return folder;
}

export interface OpenMachinesOptions {
  readonly folder: string;
  readonly nodeNetwork: string | undefined;
  readonly podNetwork: string | undefined;
  readonly dualStack: boolean;
  readonly serviceNetworks: readonly string[];
  readonly registryConfig: string;
  /** `registry=url,…`, each. */
  readonly registryMirror: readonly string[];
  readonly pauseImage: string;
  /** How many nodes there are, simulated ones with them. */
  readonly nodeCount: number;
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
  const mirrors = parseMirrors(options.registryMirror);
  const { nodeNetwork: nodes, podNetwork: pods } = options;
  const site = await openSite(runtime, {
    folder: options.folder,
    networks: { ...(nodes !== undefined && { nodes }), ...(pods !== undefined && { pods }) },
    otherNetworks: options.serviceNetworks,
    nodeCount: options.nodeCount,
    isDualStack: options.dualStack,
  });
  return {
    site,
    containerd: {
      program,
      majorVersion: facts.containerdMajor ?? 1,
      cniPrograms,
      hostsFolder: await writeMirrors(site, mirrors, options.registryConfig),
      pauseImage: options.pauseImage,
    },
  };
}
