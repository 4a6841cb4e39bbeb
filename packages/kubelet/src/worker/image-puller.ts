import { formatDurationMs } from "@coxswain/apimachinery/time";
import { createKeyedBackoff, type KeyedBackoff } from "@coxswain/runtime/backoff";
import type { PullCredential } from "../images/pull-credential.js";
import { type CachedContainer, type CachedPod, uidOf } from "../objects/cached-pod.js";
import type { ImageRecord, PullRequest } from "../runtime/container-runtime.js";
import type { NodeContext } from "./node-context.js";
import { StartError } from "./start-error.js";

/** Sees to it that a container's image is on the node, by its pull policy. Failed pulls are tried again after 10 s, doubling to 5 min. */
export interface ImagePuller {
  /** @throws StartError with the reason that the container waits for */
  ensure(request: ImageRequest, signal: AbortSignal): Promise<ImageRecord>;
}

export interface ImageRequest {
  readonly pod: CachedPod;
  readonly container: CachedContainer;
  /** It took so long. */
  readonly onPulled?: ((ms: number) => void) | undefined;
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
    async ensure({ pod, container, onPulled }, signal) {
      const image = container.image ?? "";
      const record = (type: "Normal" | "Warning", reason: string, message: string): void =>
        context.record(pod, { type, reason, message }, container.name);
      const policy = container.imagePullPolicy ?? "IfNotPresent";
      const present = await containers.imageStatus(image);
      /** Asked for once, and not before it must be. */
      let asked: ReturnType<NodeContext["credentials"]> | undefined;
      const credentials = () => (asked ??= context.credentials(pod, image));
      if (present && policy !== "Always" && !(await context.pulls.mustPull(present, credentials))) {
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
        const pulled = await pullRecorded(context, { image, pod }, await credentials(), signal);
        const took = formatDurationMs(clock.now() - began);
        context.counts.imagePulled(pulled.sizeBytes, clock.now() - began);
        onPulled?.(clock.now() - began);
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

/** A pull that is written down with the credentials that it succeeded with. */
async function pullRecorded(
  { containers, pulls }: Pick<NodeContext, "containers" | "pulls">,
  request: Pick<PullRequest, "image" | "pod">,
  credentials: readonly PullCredential[],
  signal: AbortSignal,
): Promise<ImageRecord> {
  const { image } = request;
  await pulls.begin(image);
  try {
    const { record, used } = await pullWith(containers, request, credentials, signal);
    await pulls.pulled({ ...record, image }, used);
    return record;
  } catch (error) {
    await pulls.failed(image);
    throw error;
  }
}

/** Tries credentials one after the other; without any, nobody's name. */
async function pullWith(
  containers: NodeContext["containers"],
  request: Pick<PullRequest, "image" | "pod">,
  credentials: readonly PullCredential[],
  signal: AbortSignal,
): Promise<{ readonly record: ImageRecord; readonly used: PullCredential | undefined }> {
  if (credentials.length === 0) return { record: await containers.pullImage(request, signal), used: undefined };
  let failure: unknown;
  for (const used of credentials) {
    try {
      return { record: await containers.pullImage({ ...request, auth: used.auth }, signal), used };
    } catch (error) {
      signal.throwIfAborted();
      failure = error;
    }
  }
  throw failure;
}
