import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import { specHash } from "../pod/spec-hash.js";
import {
  ConfigError,
  type ContainerKind,
  type FileSource,
  type PodRuntimeStatus,
  type SandboxRecord,
} from "../runtime/container-runtime.js";
import { expandCommand } from "../sources/expand-variables.js";
import { runHook } from "./hooks.js";
import type { ImagePuller } from "./image-puller.js";
import { pullImageVolumes } from "./image-volumes.js";
import type { NodeContext } from "./node-context.js";
import { makeMounts } from "./plan-mounts.js";
import { StartError } from "./start-error.js";

export interface StartRequest {
  readonly pod: CachedPod;
  readonly container: CachedContainer;
  readonly kind: ContainerKind;
  readonly sandbox: SandboxRecord;
  readonly status: PodRuntimeStatus;
  readonly restartCount: number;
  readonly volumes: ReadonlyMap<string, FileSource>;
  readonly podIPs: readonly string[];
  /** An image was pulled, in so many milliseconds. */
  readonly onPulled?: (ms: number) => void;
}

/** Pulls, creates and starts one container, and runs its post-start hook. @throws StartError */
export async function startContainer(
  context: NodeContext,
  puller: ImagePuller,
  request: StartRequest,
  signal: AbortSignal,
): Promise<void> {
  const { containers } = context;
  const { pod, container, kind } = request;
  const record = (type: "Normal" | "Warning", reason: string, message: string): void =>
    context.record(pod, { type, reason, message }, container.name);
  const refused = (error: unknown, reason: string): StartError => {
    const { message } = error as Error;
    record("Warning", "Failed", `Error: ${message}`);
    return error instanceof StartError ? error : new StartError(reason, message);
  };

  const notPulled = (error: unknown): never => {
    if (error instanceof StartError) record("Warning", "Failed", `Error: ${error.reason}`);
    throw error;
  };
  const image = await puller.ensure(request, signal).catch(notPulled);
  const volumes = await pullImageVolumes(puller, request, signal).catch(notPulled);
  const env = await context.sources.environment(pod, container, request.podIPs).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    throw refused(error, "CreateContainerConfigError");
  });
  signal.throwIfAborted();
  let id: string;
  try {
    id = await containers.createContainer(request.sandbox.id, {
      pod,
      name: container.name,
      kind,
      attempt: request.restartCount,
      image,
      ...expandCommand(container, env),
      env,
      workingDir: container.workingDir ?? "",
      mounts: await makeMounts(context.host, { pod, container, volumes, env }),
      resources: container.resources ?? {},
      specHash: specHash(container),
      terminationMessagePath: container.terminationMessagePath ?? "/dev/termination-log",
      terminationMessagePolicy: container.terminationMessagePolicy ?? "File",
      cgroupParent: await context.host.ensureGroup(pod),
      userNamespace: await context.host.userNamespace(pod, await context.host.runtimeHandler(pod)),
      podIPs: request.podIPs,
      ...targetOf(request),
    });
  } catch (error) {
    throw refused(error, error instanceof ConfigError ? "CreateContainerConfigError" : "CreateContainerError");
  }
  record("Normal", "Created", "Container created");
  try {
    await containers.startContainer(id, signal);
  } catch (error) {
    signal.throwIfAborted();
    throw refused(error, "RunContainerError");
  }
  record("Normal", "Started", "Container started");

  const hook = container.lifecycle?.postStart;
  if (!hook) return;
  const failure = await runHook(context, { pod, container, id, hook }, signal);
  if (failure === undefined) return;
  record("Warning", "FailedPostStartHook", "PostStartHook failed");
  record("Normal", "Killing", "FailedPostStartHook");
  await containers.stopContainer(id, pod.spec?.terminationGracePeriodSeconds ?? 30);
  throw new StartError("PostStartHookError", failure);
}

/** The container whose processes an ephemeral one sees. @throws ConfigError where it is not there */
function targetOf({ pod, container, kind, status }: StartRequest): { targetId?: string } {
  if (kind !== "ephemeral") return {};
  const name = pod.spec?.ephemeralContainers?.find((each) => each.name === container.name)?.targetContainerName;
  if (!name) return {};
  const target = status.containers.get(name)?.[0];
  if (!target) throw new ConfigError(`unable to find target container ${name}`);
  return { targetId: target.id };
}

/** How often a container ran before the run to come. */
export function restartCountOf(pod: CachedPod, name: string, status: PodRuntimeStatus): number {
  const latest = status.containers.get(name)?.[0];
  if (latest) return latest.attempt + 1;
  const reported = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  const known = reported.find((each) => each.name === name);
  // One whose containers were removed is counted already.
  return known ? known.restartCount + (known.containerID ? 1 : 0) : 0;
}
