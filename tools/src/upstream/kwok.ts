import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureProgram } from "./build.js";
import type { ManagedProcess } from "./managed-process.js";
import { startProcess } from "./managed-process.js";
import { moduleFolder } from "./module-folder.js";
import { kwokVersion } from "./programs.js";

export interface KwokOptions {
  readonly kubeconfig: string;
  /** Receives its configuration and its log. */
  readonly folder: string;
}

/** KWOK's own ones: nodes become ready and keep their leases, pods run as soon as they have a node and go when they are deleted. */
const stages = ["node/fast", "node/heartbeat-with-lease", "pod/fast"];

/** Starts KWOK, which plays the kubelet of every node that there is. */
export async function startKwok({ kubeconfig, folder }: KwokOptions): Promise<ManagedProcess> {
  const command = await ensureProgram("kwok");
  const config = join(folder, "kwok.yaml");
  await writeFile(config, (await stageDocuments()).join("\n---\n"));
  return startProcess({
    name: "kwok",
    command,
    logFile: join(folder, "kwok.log"),
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--config=${config}`,
      "--manage-all-nodes=true",
      "--node-lease-duration-seconds=40",
      "--server-address=127.0.0.1:0",
    ],
  });
}

async function stageDocuments(): Promise<string[]> {
  const root = await moduleFolder(`sigs.k8s.io/kwok@${kwokVersion}`);
  const documents: string[] = [];
  for (const stage of stages) {
    const folder = join(root, "kustomize/stage", stage);
    const files = (await readdir(folder))
      .filter((name) => name.endsWith(".yaml") && name !== "kustomization.yaml")
      .sort();
    for (const file of files) documents.push(await readFile(join(folder, file), "utf8"));
  }
  return documents;
}
