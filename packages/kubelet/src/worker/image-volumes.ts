import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import type { FileSource } from "../runtime/container-runtime.js";
import type { ImagePuller } from "./image-puller.js";

export interface ImageVolumesRequest {
  readonly pod: CachedPod;
  readonly container: CachedContainer;
  readonly volumes: ReadonlyMap<string, FileSource>;
  readonly onPulled?: ((ms: number) => void) | undefined;
}

/**
 * Pulls the images that a container mounts, by the policy of each volume, and names them as the runtime does. A failed pull is a failure of
 * the container. Upstream's `pkg/kubelet/kuberuntime/kuberuntime_manager.go`, `getImageVolumes`. @throws StartError
 */
export async function pullImageVolumes(
  puller: ImagePuller,
  { pod, container, volumes, onPulled }: ImageVolumesRequest,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileSource>> {
  const mounted = new Set((container.volumeMounts ?? []).map(({ name }) => name));
  const pulled = new Map(volumes);
  for (const { name, image } of pod.spec?.volumes ?? []) {
    if (!image || !mounted.has(name) || volumes.get(name)?.kind !== "image") continue;
    const asked = {
      name: container.name,
      image: image.reference,
      imagePullPolicy: image.pullPolicy,
    } as CachedContainer;
    const { id } = await puller.ensure({ pod, container: asked, onPulled }, signal);
    pulled.set(name, { kind: "image", ref: id });
  }
  return pulled;
}
