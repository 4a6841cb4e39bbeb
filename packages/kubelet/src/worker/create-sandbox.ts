import type { CachedPod } from "../objects/cached-pod.js";
import type { SandboxRecord } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";

/** A sandbox for the pod, after the one that it had; undefined, with an event, where the runtime cannot make one. */
export async function createSandbox(
  { containers, host, record, counts, runtime: { clock } }: NodeContext,
  { pod, before }: { readonly pod: CachedPod; readonly before: SandboxRecord | undefined },
  signal: AbortSignal,
): Promise<SandboxRecord | undefined> {
  const hasOwnUsers = pod.spec?.hostUsers === false;
  counts.podStarts(hasOwnUsers);
  let runtimeHandler = "";
  try {
    runtimeHandler = await host.runtimeHandler(pod);
    const config = {
      pod,
      attempt: before ? before.attempt + 1 : 0,
      cgroupParent: await host.ensureGroup(pod),
      runtimeHandler,
      userNamespace: await host.userNamespace(pod, runtimeHandler),
    };
    const began = clock.now();
    const sandbox = await containers.runPodSandbox(config, signal);
    counts.sandboxMade(runtimeHandler, clock.now() - began);
    return sandbox;
  } catch (error) {
    signal.throwIfAborted();
    counts.podFailed(hasOwnUsers);
    counts.sandboxMade(runtimeHandler, undefined);
    const message = `Failed to create pod sandbox: ${(error as Error).message}`;
    record(pod, { type: "Warning", reason: "FailedCreatePodSandBox", message });
    return undefined;
  }
}
