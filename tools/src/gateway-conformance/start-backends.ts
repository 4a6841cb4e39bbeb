import { join } from "node:path";
import { ownLauncher, startCoxswain } from "../clients/index.js";
import { type OwnNamespaces, startUpCluster } from "../nodes/index.js";
import { writeBackendImages } from "./backend-images.js";

export interface StartedCluster {
  readonly kubeconfig: string;
  stop(): Promise<unknown>;
}

export interface ClusterToStart {
  readonly folder: string;
  /** Of the gateway. */
  readonly flags: readonly string[];
  readonly print: (line: string) => void;
}

/** A cluster whose simulated pods answer as the suite's backends. */
export const startSimulated = ({ folder, flags }: ClusterToStart): Promise<StartedCluster> =>
  startCoxswain({
    command: "up",
    launcher: ownLauncher,
    dataDir: join(folder, "data"),
    args: ["--nodes", "2", ...flags],
  });

/** One that runs them in containers, in namespaces of this process' own. */
export async function startWithContainers(
  { folder, flags, print }: ClusterToStart,
  { nodes, namespaces }: { readonly nodes: number; readonly namespaces: OwnNamespaces },
): Promise<StartedCluster> {
  const images = join(folder, "images");
  await writeBackendImages(images, print);
  const parts = { containerd: "debian", nodes } as const;
  return startUpCluster({ parts, folder, namespaces, coxswain: undefined, images, args: flags });
}
