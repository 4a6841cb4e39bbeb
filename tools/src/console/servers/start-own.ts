import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ownLauncher } from "../../clients/index.js";
import type { ConsoleServer } from "./console-server.js";
import { printedLink } from "./printed-link.js";

/** `coxswain up` in a process of its own, with three simulated nodes. */
export async function startOwn(home: string): Promise<ConsoleServer> {
  const args = [ownLauncher, "up", "--in-memory", "--secure-port", "0", "--console-port", "0", "--name", "stories"];
  const up = spawn(process.execPath, args, { env: { ...process.env, COXSWAIN_HOME: home } });
  return {
    link: await printedLink(up),
    has: new Set(["history", "simulation", "metrics"]),
    nodes: ["node-0", "node-1", "node-2"],
    kubeconfig: join(home, "stories/kubeconfig"),
    async stop() {
      if (up.exitCode !== null) return;
      up.kill("SIGINT");
      await once(up, "exit");
    },
  };
}
