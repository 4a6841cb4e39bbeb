import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ownLauncher } from "../../clients/index.js";
import { startCluster } from "../../kwok/cluster.js";
import { makeNodes, nodeName } from "../../kwok/simulated-nodes.js";
import type { ConsoleServer } from "./console-server.js";
import { printedLink } from "./printed-link.js";

const nodeCount = 3;

/** kube-apiserver with upstream's controller manager, scheduler and KWOK, and `coxswain console` in front of it. */
export async function startUpstream(home: string): Promise<ConsoleServer> {
  const folder = join(home, "upstream");
  mkdirSync(folder, { recursive: true });
  const cluster = await startCluster({ server: "upstream", folder, coxswain: undefined });
  try {
    await makeNodes(cluster.kubectl, nodeCount);
    const args = [ownLauncher, "console", "--kubeconfig", cluster.kubeconfig, "--port", "0"];
    const console = spawn(process.execPath, args, { env: { ...process.env, COXSWAIN_HOME: home } });
    return {
      link: await printedLink(console),
      has: new Set(),
      nodes: Array.from({ length: nodeCount }, (_, index) => nodeName(index)),
      kubeconfig: cluster.kubeconfig,
      async stop() {
        console.kill("SIGINT");
        if (console.exitCode === null) await once(console, "exit");
        await cluster.stop();
      },
    };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
