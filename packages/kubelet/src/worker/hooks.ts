import type { LifecycleHandler } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { slept } from "@coxswain/runtime/wait";
import type { ExecOutput } from "../runtime/container-runtime.js";
import { keepOutput } from "./keep-output.js";
import type { NodeContext } from "./node-context.js";

/** A command that outlived its signal. */
const killed: ExecOutput = { exitCode: 137, stdout: new Uint8Array(), stderr: new Uint8Array() };

/** Runs a post-start or pre-stop hook to its end, or until the signal aborts. Returns why it failed, or undefined. */
export async function runHook(
  { containers, runtime }: Pick<NodeContext, "containers" | "runtime">,
  { id, hook }: { id: string; hook: DeepReadonly<LifecycleHandler> },
  signal: AbortSignal,
): Promise<string | undefined> {
  if (hook.exec) {
    const command = hook.exec.command ?? [];
    const done = await containers.execSync(id, command, 0, signal).catch((error: unknown) => {
      if (signal.aborted) return killed;
      throw error;
    });
    const { exitCode } = done;
    const output = keepOutput(done);
    if (exitCode === 0) return undefined;
    return `Exec lifecycle hook (${command.join(" ")}) failed - error: command '${command.join(" ")}' exited with ${exitCode}: ${output}, message: "${output}"`;
  }
  if (hook.sleep) {
    await slept(hook.sleep.seconds * 1000, { clock: runtime.clock, signal });
    return undefined;
  }
  if (hook.httpGet && containers.probe) {
    const { path = "/", port, host = "" } = hook.httpGet;
    const answer = await containers.probe(id, { kind: "http", port: Number(port), path, host });
    return answer.success ? undefined : `HTTP lifecycle hook (${path}) failed: ${answer.output}`;
  }
  return undefined;
}
