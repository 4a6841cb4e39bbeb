import type { LifecycleHandler } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { slept } from "@coxswain/runtime/wait";
import { type CachedContainer, type CachedPod, describePod, uidOf } from "../objects/cached-pod.js";
import { sandboxOf } from "../runtime/container-runtime.js";
import { keepOutput } from "./keep-output.js";
import type { NodeContext } from "./node-context.js";

export interface HookRequest {
  readonly pod: CachedPod;
  readonly container: CachedContainer;
  /** Of the container's running run. */
  readonly id: string;
  readonly hook: DeepReadonly<LifecycleHandler>;
}

/**
 * Runs a post-start or pre-stop hook to its end, or until the signal aborts. Returns why it failed, in upstream's words
 * (pkg/kubelet/lifecycle/handlers.go, Run), or undefined.
 */
export async function runHook(
  context: NodeContext,
  request: HookRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { hook, pod, container } = request;
  const failed = (what: string, error: string): string =>
    `${what} for Container ${JSON.stringify(container.name)} in Pod ${JSON.stringify(describePod(pod))} failed - error: ${error}`;
  if (hook.exec) {
    const command = hook.exec.command ?? [];
    const { error, output } = await runExec(context, request, command, signal);
    if (error === undefined) return undefined;
    return `${failed(`Exec lifecycle hook ([${command.join(" ")}])`, error)}, message: ${JSON.stringify(output)}`;
  }
  if (hook.httpGet) {
    const failure = await runHttp(context, request, hook.httpGet, signal);
    return failure === undefined ? undefined : failed(`HTTP lifecycle hook (${hook.httpGet.path ?? ""})`, failure);
  }
  if (hook.sleep) {
    const { seconds } = hook.sleep;
    await slept(seconds * 1000, { clock: context.runtime.clock, signal });
    if (!signal.aborted) return undefined;
    return failed(`Sleep lifecycle hook (${seconds})`, "container terminated before sleep hook finished");
  }
  // A tcpSocket has been deprecated for ever and was never run.
  return "Cannot run handler: invalid handler";
}

async function runExec(
  { containers }: NodeContext,
  { id }: HookRequest,
  command: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly error?: string; readonly output: string }> {
  try {
    const done = await containers.execSync(id, command, 0, signal);
    const output = keepOutput(done);
    if (done.exitCode === 0) return { output };
    const stderr = keepOutput({ ...done, stdout: new Uint8Array() });
    return { error: `command '${command.join(" ")}' exited with ${done.exitCode}: ${stderr}`, output };
  } catch (error) {
    return { error: (error as Error).message, output: "" };
  }
}

async function runHttp(
  context: NodeContext,
  { pod, container, id }: HookRequest,
  httpGet: DeepReadonly<NonNullable<LifecycleHandler["httpGet"]>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const sandbox = sandboxOf(await context.containers.podStatus(uidOf(pod)));
  const podIP = (pod.spec?.hostNetwork ? context.hostIPs : sandbox?.ips)?.[0] ?? "";
  if (!httpGet.host && podIP === "") return "failed to find networking container";
  const { failure, fellBackToHttp } = await context.prober.runHttpHook({ id, container, podIP, httpGet }, signal);
  if (fellBackToHttp !== undefined)
    context.record(pod, {
      type: "Warning",
      reason: "LifecycleHTTPFallback",
      message: `request to HTTPS lifecycle hook ${fellBackToHttp} got HTTP response, retry with HTTP succeeded`,
    });
  return failure;
}
