import type { ConfigMapVolumeSource } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { type CachedPod, namespaceOf } from "../../objects/cached-pod.js";
import type { VolumeContents } from "../../sources/volume-contents.js";
import { keyedPayload, type Payload, PayloadError } from "../payload.js";
import { setUpPayload } from "../payload-volume.js";
import type { VolumePlugin } from "../volume-plugin.js";

/** As the API server sets it. */
export const defaultFileMode = 0o644;

export const configMapPlugin: VolumePlugin<DeepReadonly<ConfigMapVolumeSource>> = {
  directory: "configmap",
  async setUp(source, request, context) {
    const payload = await configMapPayload(source, source.defaultMode, request.pod, context.contents);
    return setUpPayload({ plugin: "configmap", payload, isInMemory: false }, request, context);
  },
};

type Named = Pick<DeepReadonly<ConfigMapVolumeSource>, "name" | "items" | "optional">;

/** @throws PayloadError */
export async function configMapPayload(
  { name = "", items = [], optional = false }: Named,
  defaultMode: number | undefined,
  pod: CachedPod,
  contents: VolumeContents,
): Promise<Payload> {
  const content = await contents.configMap(namespaceOf(pod), name);
  if (!content && !optional) throw new PayloadError(`configmap "${name}" not found`);
  return keyedPayload({
    kind: "configmap",
    content: content ?? new Map(),
    items,
    isOptional: optional,
    defaultMode: defaultMode ?? defaultFileMode,
  });
}
