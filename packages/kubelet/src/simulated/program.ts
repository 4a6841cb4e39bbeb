import type { Clock } from "@coxswain/apimachinery/clock";
import { slept } from "@coxswain/apimachinery/wait";
import type { ContainerConfig } from "../runtime/container-runtime.js";
import type { Program } from "./process.js";

/** What the command of a container does; undefined: nobody knows, so it runs for ever. */
export function programOf(config: ContainerConfig, { clock }: { clock: Clock }): Program | undefined {
  const [name = "", first = ""] = [...config.command, ...config.args];
  switch (name.slice(name.lastIndexOf("/") + 1)) {
    case "true":
    case "echo":
      return async () => 0;
    case "false":
      return async () => 1;
    case "sleep":
      return async (signal) => ((await slept(Number(first) * 1000, { clock, signal })) ? 0 : undefined);
    default:
      return isOfJob(config) ? async () => 0 : undefined;
  }
}

const isOfJob = ({ pod }: ContainerConfig): boolean =>
  (pod.metadata?.ownerReferences ?? []).some(({ kind, controller }) => kind === "Job" && controller === true);
