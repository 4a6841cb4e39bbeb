import { formatDurationMs } from "@coxswain/apimachinery/time";
import { createKeyedBackoff, type KeyedBackoff } from "@coxswain/runtime/backoff";
import { type CachedContainer, type CachedPod, uidOf } from "../objects/cached-pod.js";
import type { ImageRecord, PullRequest } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";
import { StartError } from "./start-error.js";

/** Sees to it that a container's image is on the node, by its pull policy. Failed pulls are tried again after 10 s, doubling to 5 min. */
export interface ImagePuller {
  /** @throws StartError with the reason that the container waits for */
  ensure(pod: CachedPod, container: CachedContainer, signal: AbortSignal): Promise<ImageRecord>;
}

/** Upstream's numbers. */
const backoffMs = { initialMs: 10_000, maxMs: 300_000 };
/** Errors that are remembered; pods that are gone leave theirs behind. */
const maxErrors = 1000;
/** A failed pull shows as ErrImagePull for this long, then as ImagePullBackOff until the next try. */
const shownMs = 5000;

export function createImagePuller(context: Omit<NodeContext, "admit" | "admitResize">): ImagePuller {
  const { containers } = context;
  const { clock } = context.runtime;
  let backoff: KeyedBackoff | undefined;
  const lastErrors = new Map<string, string>();

  return {
    async ensure(pod, container, signal) {
      const image = container.image ?? "";
      const record = (type: "Normal" | "Warning", reason: string, message: string): void =>
        context.record(pod, { type, reason, message }, container.name);
      const policy = container.imagePullPolicy ?? "IfNotPresent";
      const present = await containers.imageStatus(image);
      if (present && policy !== "Always") {
        record(
          "Normal",
          "Pulled",
          `Container image "${image}" already present on machine and can be accessed by the pod`,
        );
        return present;
      }
      if (policy === "Never") {
        const message = `Container image "${image}" is not present with pull policy of Never`;
        record("Warning", "ErrImageNeverPull", message);
        throw new StartError("ErrImageNeverPull", message);
      }
      const key = `${uidOf(pod)}_${image}`;
      backoff ??= createKeyedBackoff({ ...backoffMs, clock });
      if (backoff.isInBackoffSinceUpdate(key, clock.now())) {
        const message = `Back-off pulling image "${image}"`;
        record("Normal", "BackOff", message);
        const last = lastErrors.get(key);
        throw new StartError(
          "ImagePullBackOff",
          last === undefined ? message : `${message}: ${last}`,
          backoff.get(key) - shownMs,
        );
      }
      record("Normal", "Pulling", `Pulling image "${image}"`);
      const began = clock.now();
      try {
        const pulled = await pullWith(context, { image, pod }, signal);
        const took = formatDurationMs(clock.now() - began);
        record(
          "Normal",
          "Pulled",
          `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: ${pulled.sizeBytes} bytes.`,
        );
        lastErrors.delete(key);
        return pulled;
      } catch (error) {
        signal.throwIfAborted();
        const message = (error as Error).message;
        record("Warning", "Failed", `Failed to pull image "${image}": ${message}`);
        backoff.collect();
        backoff.next(key, clock.now());
        lastErrors.set(key, `ErrImagePull: ${message}`);
        if (lastErrors.size > maxErrors) lastErrors.delete(lastErrors.keys().next().value as string);
        throw new StartError("ErrImagePull", message, shownMs);
      }
    },
  };
}

/** Tries what the pod's secrets have for the registry, one after the other; without any, nobody's name. */
async function pullWith(
  { containers, credentials }: Pick<NodeContext, "containers" | "credentials">,
  request: Pick<PullRequest, "image" | "pod">,
  signal: AbortSignal,
): Promise<ImageRecord> {
  const found = await credentials(request.pod, request.image);
  if (found.length === 0) return containers.pullImage(request, signal);
  let failure: unknown;
  for (const auth of found) {
    try {
      return await containers.pullImage({ ...request, auth }, signal);
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}
