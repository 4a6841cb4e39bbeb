import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../clients/index.js";
import type { ServerOptions } from "../conformance/server-under-test.js";
import { ownProgram, startServer } from "../conformance/server-under-test.js";
import { ensureProgram, startControllerManager, startKwok, startScheduler } from "../upstream/index.js";

/** A server with a controller manager and a scheduler, upstream's unless ours are asked for, and KWOK for the nodes. */
export interface Cluster {
  /** Of an administrator. */
  readonly kubeconfig: string;
  /** Runs kubectl as an administrator and answers what it prints; throws its error. */
  kubectl(args: readonly string[], input?: string): Promise<string>;
  /** Resolves with a sentence when a part of it ends by itself. */
  readonly broken: Promise<string>;
  /** What a component has logged so far. */
  logOf(component: Component): string;
  stop(): Promise<void>;
}

export const components = ["kube-controller-manager", "kube-scheduler"] as const;
export type Component = (typeof components)[number];

export async function startCluster(options: ServerOptions): Promise<Cluster> {
  const { folder } = options;
  const program = await ensureProgram("kubectl");
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    const server = await startServer(options);
    stops.push(() => server.stop());
    const kubectl: Cluster["kubectl"] = async (args, input = "") => {
      const result = await runProgram(program, ["--kubeconfig", server.kubeconfig, ...args], { input });
      if (result.code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${result.stderr.trim()}`);
      return result.stdout;
    };
    const logFile = (component: Component): string => join(folder, `${component}.log`);
    const manager = await startControllerManager({
      ...server,
      logFile: logFile("kube-controller-manager"),
      program: ownProgram(options.controllers, "controller-manager", options.coxswain),
    });
    stops.push(() => manager.stop());
    const kubeconfig = join(folder, "scheduler.kubeconfig");
    writeFileSync(
      kubeconfig,
      asUser(await kubectl(["config", "view", "--raw", "--output=json"]), "system:kube-scheduler"),
      { mode: 0o600 },
    );
    const scheduler = await startScheduler({
      kubeconfig,
      logFile: logFile("kube-scheduler"),
      program: ownProgram(options.scheduler, "scheduler", options.coxswain),
    });
    stops.push(() => scheduler.stop());
    const kwok = await startKwok({ kubeconfig: server.kubeconfig, folder });
    stops.push(() => kwok.stop());
    const ended = (name: string, end: Promise<void>): Promise<string> =>
      end.then(() => `${name} has ended, see the logs in ${folder}`);
    return {
      kubeconfig: server.kubeconfig,
      kubectl,
      broken: Promise.race([
        ended("the API server", server.ended),
        ended("kube-controller-manager", manager.ended),
        ended("kube-scheduler", scheduler.ended),
        ended("kwok", kwok.ended),
      ]),
      logOf: (component) => readFileSync(logFile(component), "utf8"),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A kubeconfig whose user acts as another: a component gets just the rights that the server's own roles give it. */
function asUser(kubeconfig: string, name: string): string {
  const config = JSON.parse(kubeconfig) as { users: { user: Record<string, unknown> }[] };
  for (const { user } of config.users) user["as"] = name;
  return JSON.stringify(config);
}
