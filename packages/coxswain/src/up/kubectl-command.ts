import { spawn } from "node:child_process";
import { once } from "node:events";
import { clusterFolder } from "./cluster-home.js";
import { isRunning, readState } from "./cluster-state.js";
import { notRunning } from "./not-running.js";

export async function runKubectl(args: readonly string[]): Promise<number> {
  const { name, rest } = clusterOf(args);
  const folder = clusterFolder({ name });
  const state = readState(folder);
  if (!state || !isRunning(state)) {
    process.stderr.write(notRunning({ name }));
    return 1;
  }
  const child = spawn("kubectl", rest, { stdio: "inherit", env: { ...process.env, KUBECONFIG: state.kubeconfig } });
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  try {
    await once(child, "spawn");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    process.stderr.write(
      "there is no kubectl in PATH. Install it with your system's package manager (brew install kubectl, apt-get install kubectl,\n" +
        `winget install Kubernetes.kubectl; see https://kubernetes.io/docs/tasks/tools), or use any client with KUBECONFIG=${state.kubeconfig}\n`,
    );
    return 127;
  }
  // Ctrl-C is kubectl's to handle: both are in the terminal's foreground.
  process.on("SIGINT", () => {});
  const [code] = await ended;
  return code ?? 1;
}

/** Only what stands before kubectl's own words is ours. */
function clusterOf(args: readonly string[]): { readonly name: string; readonly rest: readonly string[] } {
  const [first = "", second = ""] = args;
  if (first === "--name") return { name: second, rest: args.slice(2) };
  if (first.startsWith("--name=")) return { name: first.slice("--name=".length), rest: args.slice(1) };
  return { name: "default", rest: args };
}
